"""Cohere's stream where a gateway joined another answer on."""

from __future__ import annotations

from typing import Any

import pytest
from llm import assemble, typed


def start(id: str | None) -> dict[str, Any]:
    return {"type": "message-start", "id": id}


def said(text: str) -> dict[str, Any]:
    return {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": text}}}}


END = {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}


def test_another_answer_is_no_part_of_this_one() -> None:
    made = assemble(typed(start("a"), said("Un"), start("b"), said("Uno"), END), "cohere").message
    assert (made.text, made.outcome.value) == ("Un", "provider_error")


@pytest.mark.parametrize("second", ["a", None])
def test_the_same_start_again_is_an_echo(second: str | None) -> None:
    made = assemble(typed(start("a"), said("Un"), start(second), said("o"), END), "cohere").message
    assert (made.text, made.intact) == ("Uno", True)
