"""What of a JSON text may be changed, wherever it is cut."""

from __future__ import annotations

import pytest

from untorn.recording._scan import Scanner


def changed(text: str) -> str:
    scanner = Scanner()
    return "".join("·" if scanner.may_change(character) else character for character in text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"key": "word"}', '{"key": "····"}'),
        ('{"a": {"b": "c"}, "d": "e"}', '{"a": {"b": "·"}, "d": "·"}'),
        ('["a", "b"]', '["·", "·"]'),
        ('{"a": ["b", {"c": "d"}, "e"], "f": "g"}', '{"a": ["·", {"c": "·"}, "·"], "f": "·"}'),
        ('{"a": 12.5e3, "b": -7}', '{"a": ··.·e·, "b": -·}'),
        ("[true, false, null]", "[true, false, null]"),
        ('"x\\ny\\u00e9z\\"w"', '"·\\n·\\u00e9·\\"·"'),
        ("{}{}", "{}{}"),
        ('{"a": Ulm}', '{"a": ·l·}'),
        ('}]"a"', '}]"·"'),
        (', "a"', ', "·"'),
    ],
)
def test_texts_and_numbers_may_change_and_nothing_else(text: str, right: str) -> None:
    assert changed(text) == right
