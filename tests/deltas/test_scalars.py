"""Scalars of JSON where they may be cut."""

from __future__ import annotations

import pytest

from untorn.deltas._scalars import BadScalarError, literal, number, unescaped


@pytest.mark.parametrize("name", ["true", "false", "null", "NaN", "Infinity", "-Infinity"])
def test_a_literal_is_whole_cut_or_none(name: str) -> None:
    found = literal(f"[{name}]", 1)

    assert found is not None
    assert (found[0], repr(found[1])) == (name, repr(eval(name, {}, NAMES)))
    assert [literal(name[:n], 0) for n in range(1, len(name))] == [None] * (len(name) - 1)
    with pytest.raises(BadScalarError):
        literal(f"{name[:-1]}!", 0)


NAMES = {"true": True, "false": False, "null": None, "NaN": float("nan"), "Infinity": float("inf")}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("12", 12),
        ("1.50", 1.5),
        ("-1e2", -100.0),
        ("1E+2", 100.0),
        ("2e-1", 0.2),
    ],
)
def test_a_whole_number(text: str, value: float) -> None:
    found = number(text, whole=True)

    assert (found, type(found)) == (value, type(value))
    assert number(text, whole=False) is None


@pytest.mark.parametrize("text", ["-", "1.", "1e", "1.5e", "1e+", "1.5E-"])
def test_a_cut_number_is_none(text: str) -> None:
    assert number(text, whole=True) is None


@pytest.mark.parametrize(
    ("text", "position"),
    [("01", 1), ("-01", 2), ("+1", 0), (".5", 0), ("1.e5", 2), ("1..", 2), ("1e5.", 3), ("--", 1)],
)
def test_what_is_no_number_says_where(text: str, position: int) -> None:
    for whole in (True, False):
        with pytest.raises(BadScalarError) as caught:
            number(text, whole=whole)
        assert (caught.value.position, caught.value.reason) == (position, "not a number")


def test_an_int_has_a_bound_on_its_digits_as_in_json_loads() -> None:
    with pytest.raises(BadScalarError, match="too many digits"):
        number("9" * 5_000, whole=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\\n.", (2, "\n")),
        ("\\/", (2, "/")),
        ("\\u00e9.", (6, "é")),
        ("\\uD83D\\uDe00.", (12, "😀")),
        ("\\ud83d.", (6, "\ud83d")),  # a first half alone stays one
        ("\\ud83d\\n", (6, "\ud83d")),
        ("\\ud83d\\u0041", (6, "\ud83d")),
        ("\\ud83d\\ud83d", (6, "\ud83d")),
        ("\\ude00\\ud83d", (6, "\ude00")),
    ],
)
def test_an_escape(text: str, found: tuple[int, str]) -> None:
    assert unescaped(text, 0) == found
    assert unescaped(f"..{text}", 2) == (found[0] + 2, found[1])


@pytest.mark.parametrize("text", ["\\", "\\u", "\\u00", "\\ud83d", "\\ud83d\\", "\\ud83d\\ude0"])
def test_a_cut_escape_is_none(text: str) -> None:
    assert unescaped(text, 0) is None


@pytest.mark.parametrize("text", ["\\x", "\\u00g0", "\\u-123", "\\U00e9"])
def test_what_is_no_escape_is_refused(text: str) -> None:
    with pytest.raises(BadScalarError, match="not an escape"):
        unescaped(text, 0)
