"""What a Responses stream says again: snapshots, the terminal response, events that come twice."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from llm import assemble, check_sums, sse

from untorn.deltas import Message, Part, ToolCall

WRONG: list[Any] = [None, True, 1.5, "one", [], {}]


def event(kind: str, index: Any = None, **more: Any) -> dict[str, Any]:
    place = {} if index is None else {"output_index": index}
    return {"type": f"response.{kind}", **place, **more}


def over(*output: Any, **more: Any) -> dict[str, Any]:
    return event("completed", response={"status": "completed", "output": [*output], **more})


def said(words: Any, id: str | None = None, **more: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": words, **more}
    return {"type": "message", "id": id, "content": [part]}


def called(name: str, id: str | None = None, **more: Any) -> dict[str, Any]:
    arguments = {"arguments": "{}", "call_id": f"to-{name}"}
    return {"type": "function_call", "id": id, "name": name, **arguments, **more}


def message(*payloads: Any) -> Message:
    made = assemble(sse(*payloads), "openai-responses")
    check_sums(made)
    return made.message


PARTS = {
    "output_text": ("text", "message"),
    "refusal": ("refusal", "message"),
    "reasoning_text": ("text", "reasoning"),
}


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("kind", PARTS)
def test_a_snapshot_adds_what_was_not_streamed(kind: str, begun: bool) -> None:
    key, of = PARTS[kind]
    streamed = [event(f"{kind}.delta", 0, content_index=0, delta="क")] if begun else []
    part = {"type": kind, key: "कख"}
    item = {"type": of, "content": [part, None, {}, 7]}
    for snapshot in (
        event(f"{kind}.done", 0, content_index=0, **{key: "कख"}),
        event("content_part.done", 0, content_index=0, part=part),
        event("output_item.done", 0, item=item),
        over(item),
    ):
        parts = message(*streamed, snapshot, snapshot).parts
        assert [part.text for part in parts] == ["कख"]


@pytest.mark.parametrize("begun", [False, True])
def test_a_snapshot_of_a_summary_adds_what_was_not_streamed(begun: bool) -> None:
    places = {"output_index": 0, "summary_index": 0}
    streamed = [event("reasoning_summary_text.delta", **places, delta="क")] if begun else []
    for snapshot in (
        event("reasoning_summary_text.done", **places, text="कख"),
        event("reasoning_summary_part.done", **places, part={"text": "कख"}),
        event("output_item.done", 0, item={"type": "reasoning", "summary": [{"text": "कख"}, None]}),
    ):
        parts = message(*streamed, snapshot, snapshot).parts
        assert [part.text for part in parts] == ["कख"]


def test_a_snapshot_that_differs_takes_nothing_away_and_is_told() -> None:
    made = message(event("output_text.delta", 0, delta="עשר"), over(said("תשע")))

    assert (made.text, made.intact, made.parts[0].metadata) == ("עשר", False, {"snapshot": "תשע"})


def test_a_snapshot_that_comes_too_early_takes_nothing_from_what_follows() -> None:
    made = message(
        event("output_text.delta", 0, delta="Zuerst "),
        event("output_text.done", 0, text="Zuerst "),
        event("output_text.delta", 0, delta="später"),
        over(said("Zuerst später")),
    )

    assert (made.text, made.intact) == ("Zuerst später", True)


def test_the_other_half_of_a_character_may_come_with_the_snapshot_alone() -> None:
    first = json.dumps(event("output_text.delta", 0, delta="a\ud83e"))
    made = message(first, over(said("a🦊b")))

    assert (made.text, made.intact) == ("a🦊b", True)


def test_many_snapshots_cost_time_that_grows_with_their_number() -> None:
    def cost(count: int) -> float:
        snapshots = [event("output_text.done", 0, text="x")] * count
        wire = sse(event("output_text.delta", 0, delta="x" * count * 100), *snapshots)
        start = time.perf_counter()
        assert len(assemble(wire, "openai-responses").message.text) == count * 100
        return time.perf_counter() - start

    assert min(cost(1_600) for _ in range(3)) < 20 * min(cost(200) for _ in range(3))


def test_ids_that_change_under_way_tell_nothing() -> None:
    made = message(
        event("output_item.added", 0, item={"type": "message", "id": "a"}),
        event("output_text.delta", 0, item_id="b", delta="שלום"),
        event("output_item.done", 0, item=said("שלום", "c")),
        over(said("שלום", "d")),
    )

    assert (made.text, made.intact) == ("שלום", True)


def test_an_item_known_by_its_id_alone_is_not_said_twice() -> None:
    made = message(
        event("output_item.added", 0, item={"type": "message", "id": "m"}),
        event("output_text.delta", item_id="m", delta="Hola"),
        event("output_item.done", 0, item=said("Hola", "m")),
    )

    assert made.text == "Hola"


def test_a_call_that_only_the_response_has_is_not_lost() -> None:
    first = event("output_item.done", 0, item=called("f", "f1"))
    made = message(first, over(called("f", "f1"), called("g", "f2")))

    assert [call.name for call in made.tool_calls] == ["f", "g"]


def test_where_nothing_was_streamed_the_response_tells_all() -> None:
    output = [said("α", "m1"), called("f", "f1"), None, 7, called("g"), said("ω")]
    made = message(over(*output))

    assert made.text == "αω"
    assert [(call.id, call.name) for call in made.tool_calls] == [("to-f", "f"), ("to-g", "g")]


OUTPUTS: list[Any] = [[], None, [said("β")], [None, said("β")], [said("x"), said("y")]]


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_response_that_lacks_or_renames_items_doubles_and_erases_nothing(output: Any) -> None:
    places = {"α": 0, "β": 3, "γ": 5}
    streamed = [event("output_text.delta", place, delta=words) for words, place in places.items()]

    assert message(*streamed, event("completed", response={"output": output})).text == "αβγ"


@pytest.mark.parametrize("again", WRONG)
def test_an_event_without_a_number_is_never_taken_for_one_that_came_before(again: Any) -> None:
    one = event("output_text.delta", 0, delta="ha", sequence_number=again)

    assert message(one, one).text == "haha"


def test_arguments_that_only_the_announcement_had_are_not_lost() -> None:
    added = event("output_item.added", 0, item=called("f", "f1", arguments='{"β":1}'))

    assert message(added, over()).tool_calls == (
        ToolCall(0, "to-f", "f", '{"β":1}', complete=True),
    )


def test_arguments_that_the_announcement_and_the_stream_had_count_once() -> None:
    added = event("output_item.added", 0, item=called("f", "f1", arguments="{}"))
    streamed = [event("function_call_arguments.delta", 0, delta=piece) for piece in ('{"β"', ":1}")]

    [call] = message(added, *streamed, over()).tool_calls
    assert (call.arguments, call.complete) == ('{"β":1}', True)


@pytest.mark.parametrize("fewer", [[], None, ["first"]])
def test_a_snapshot_with_fewer_citations_takes_none_away(fewer: list[str] | None) -> None:
    cited = [{"type": "url_citation", "title": title} for title in ("first", "second")]
    streamed = [event("output_text.annotation.added", 0, annotation=each) for each in cited]
    snapshot = over(said("ข้อ", annotations=cited[:1] if fewer else fewer))

    [part] = message(*streamed, snapshot).parts
    assert part.metadata == {"annotations": cited}


def test_citations_that_only_the_snapshot_has_are_kept_and_others_not_doubled() -> None:
    one, two = {"type": "url_citation", "url": "https://a.example"}, {"type": "file_citation"}
    cited = [event("output_text.annotation.added", 0, annotation=each) for each in (one, two)]
    snapshot = over(said("หนึ่ง", annotations=[one, two]))

    for payloads in ([snapshot], [*cited, snapshot]):
        [part] = message(*payloads).parts
        assert part == Part("text", 0, "หนึ่ง", metadata={"annotations": [one, two]})
