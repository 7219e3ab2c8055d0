"""A failed parser holds nothing of the read that failed, and fails the same way again."""

from __future__ import annotations

import tracemalloc

import pytest

from untorn import DecodeError, EventTooLargeError, SSEParser

BIG = b"data: " + b"x" * 1_000_000


def failed(parser: SSEParser, read: bytes) -> bool:
    try:
        parser.feed(read)
    except (DecodeError, EventTooLargeError):
        return True
    return False


@pytest.mark.parametrize("end", [b"\xff", b"\xff\n\n", b"\n" + BIG])
def test_rule_9_the_open_event_and_the_read_are_dropped(end: bytes) -> None:
    parser = SSEParser(errors="strict", max_event_size=1_500_000)
    tracemalloc.start()
    try:
        assert failed(parser, BIG + end)
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert held < 100_000
    assert parser.close().tail is None


def test_a_closed_parser_holds_the_tail_and_nothing_else() -> None:
    parser = SSEParser()
    tracemalloc.start()
    try:
        parser.feed(b"noise" * 200_000 + b"\n" + BIG + b"\n")
        parser.close()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert held < 1_100_000


def test_a_callback_may_raise_an_error_of_its_own_that_looks_like_ours() -> None:
    class OwnError(DecodeError):
        def __init__(self) -> None:
            super().__init__(0, b"")
            self.args = ("of another shape",)

    def on_comment(text: str) -> None:
        raise own

    own = OwnError()
    parser = SSEParser(on_comment=on_comment)
    for read in (b": c\n", b"data: x\n\n"):
        with pytest.raises(OwnError) as caught:
            parser.feed(read)
        assert caught.value is own


@pytest.mark.parametrize("failure", [KeyError("x"), KeyboardInterrupt()])
def test_rule_10_whatever_a_callback_raises_fails_the_parser_without_growing(
    failure: BaseException,
) -> None:
    def on_comment(text: str) -> None:
        raise failure

    parser = SSEParser(on_comment=on_comment)
    depths = []
    for read in (b": c\n", b"data: x\n\n", b"data: x\n\n", b"data: x\n\n"):
        with pytest.raises(type(failure)) as caught:
            parser.feed(read)
        assert caught.value is failure
        depths.append(len(caught.traceback))

    assert depths[1] == depths[2] == depths[3]


@pytest.mark.parametrize("size", [1.5, float("nan"), "64"])
def test_a_limit_that_would_never_fail_is_refused(size: object) -> None:
    with pytest.raises(ValueError, match="max_event_size"):
        SSEParser(max_event_size=size)  # type: ignore[arg-type]
