"""What steers a reader: paths, indexes, names of fields."""

from __future__ import annotations

import pytest

from untorn.recording._steering import IDENTIFIER, is_field, is_index, is_path


@pytest.mark.parametrize(
    "path", ["$", "$.a", "$.rows[0].name", "$['a b']", '$["имя"][12]', "$.a-b"]
)
def test_a_path(path: str) -> None:
    assert is_path(path)


@pytest.mark.parametrize("text", ["", "a", "Alice Smith", "$.Alice Smith", "$.a[", "$$", "$[x]"])
def test_no_path(text: str) -> None:
    assert not is_path(text)


def test_an_index_is_short() -> None:
    assert all(map(is_index, ("0", "-1", "123456789")))
    assert not any(map(is_index, ("", "1.5", "5551234567", "1e3", "٣")))


@pytest.mark.parametrize(
    "name", ["Data", " data", "data\t", "da-ta", "\ufeff\ufeffevent", "ID", "\udcffretry", "ping"]
)
def test_names_of_fields_in_use_and_those_that_are_misspelt(name: str) -> None:
    assert is_field(name)


@pytest.mark.parametrize("name", ["Alice", "alice", "datas", "data5", "dat", "Comment", "dаta", ""])
def test_any_other_name_may_be_somebodys(name: str) -> None:
    assert not is_field(name)


def test_an_identifier_has_no_space() -> None:
    assert all(map(IDENTIFIER.fullmatch, ("a", "response.output_text.delta", "TOOL_CALL", "ns:a")))
    assert not any(map(IDENTIFIER.fullmatch, ("", "a b", "1a", "é", "a.", "_a")))
