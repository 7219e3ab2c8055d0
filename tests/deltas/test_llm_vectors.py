"""The cases of public bug reports, and our own for each dialect and format, whole and cut."""

from __future__ import annotations

import json

import pytest
from llm import LLM_FILES, Case, assemble, cases, check

# A call without arguments: the shared cases write "{}" where the recorded body of the same shape
# (anthropic-tool-noargs) has "", which is what came. Both mean no arguments.
NO_ARGUMENTS = "anthropic-tool-without-arguments"


def expected(case: Case) -> Case:
    if case.name != NO_ARGUMENTS:
        return case
    return Case(case.name, case.format, case.wire, {**case.expect, "arguments_also_ok": [""]})


ALL = [expected(case) for case in cases(*LLM_FILES)]


@pytest.mark.parametrize("read", [None, 1, 7])
@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_case(case: Case, read: int | None) -> None:
    check(case, assemble(case.wire, case.format, read=read))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_case_with_crlf(case: Case) -> None:
    wire = case.wire.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    check(case, assemble(wire, case.format, read=1))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_case_without_its_last_blank_line(case: Case) -> None:
    wire = case.wire.rstrip(b"\r\n")
    check(case, assemble(wire, case.format))
    check(case, assemble(wire + b"\n", case.format))


def test_no_arguments_mean_an_empty_object() -> None:
    [case] = [case for case in ALL if case.name == NO_ARGUMENTS]
    [call] = assemble(case.wire, case.format).message.tool_calls

    assert call.arguments == ""
    assert call.json() == json.loads(case.expect["tool_calls"][0]["arguments"]) == {}
