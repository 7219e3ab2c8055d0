"""The table of names: complete, and clear where a name is none."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from untorn.deltas import FormatName, UnknownFormatError, get_format
from untorn.deltas._names import CHOICES


@pytest.mark.parametrize("name", get_args(FormatName))
def test_each_name_gives_its_format(name: str) -> None:
    format: Any = get_format(name)
    assert format.name == name


def test_another_name_lists_those_that_there_are() -> None:
    with pytest.raises(UnknownFormatError) as caught:
        get_format("opanai-chat")

    assert caught.value.name == "opanai-chat"
    assert caught.value.names == get_args(FormatName)


def test_the_choices_leave_out_the_one_that_could_not_tell() -> None:
    assert set(CHOICES) == {*get_args(FormatName)} - {"auto"}
