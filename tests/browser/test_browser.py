"""A real browser's EventSource and SSEParser agree on every wire.

The vectors go out whole and in small pieces, and so do the wires that a seed makes. Without a
browser on the path the comparison is skipped; UNTORN_BROWSER=required makes that a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import chromium
import pytest
from browser_server import Events, Exchange, Job, serving
from browser_wires import ENDS, MARK, event_names, generated
from support import SEED, load, pieces, triples

from untorn import SSEParser
from untorn.testing import random_cuts

COUNT = 4_000
PIECES = 64  # most pieces of a vector, as each costs a pause: a shorter one goes byte by byte

Answers = dict[str, Events | None]  # by a job's name; None is a stream that the browser refused


def parsed(reads: Sequence[bytes]) -> Events:
    parser = SSEParser()
    return triples([event for read in reads for event in parser.feed(read)])


def job(name: str, reads: Sequence[bytes]) -> Job:
    """Make a job; it listens for what the parser names and for what a scan finds without it."""
    names = event_names(b"".join(reads)) | {event for event, _, _ in parsed(reads)}
    return Job(name, tuple(reads), names)


def small_pieces(wire: bytes) -> list[bytes]:
    size = 1 + len(wire) // PIECES
    return pieces(wire, tuple(range(size, len(wire), size)))


@cache
def vector_jobs() -> list[Job]:
    return [
        job(f"{case.name}, {way}", reads)
        for case in load("spec", "bugreports_sse")
        for way, reads in (("whole", [case.wire]), ("in pieces", small_pieces(case.wire)))
    ]


@cache
def generated_jobs() -> list[Job]:
    return [
        job(f"generated {number}, {way}", reads)
        for number, wire in enumerate(generated(SEED, COUNT))
        for way, reads in (
            ("whole", [wire]),
            ("cut by chance", next(random_cuts(wire, 4, SEED + number, 1))),
        )
    ]


def departs(wire: bytes) -> bool:
    return wire.startswith(MARK) and wire[len(MARK) :].startswith(tuple(ENDS))


def parsed_as_chromium_reads(reads: Sequence[bytes]) -> Events:
    """Parse what means to the standard what a wire that departs means to Chromium.

    Its ``EventSourceParser::AddBytes`` knows the mark when it is at the byte behind it, and goes
    on without asking whether that byte ends a line. So a CR or LF there is the first character of
    the line that follows, which makes of its field an unknown one. A "?" does the same.
    """
    wire = b"".join(reads)
    assert departs(wire)
    return parsed([b"?" + wire[len(MARK) + 1 :]])


# The one known departure. Each wire, what the browser makes of it, and what the standard says:
# the mark is no part of the stream (UTF-8 decode), so the line end behind it is an empty line.
X = ("message", "x", "")
DEPARTURE = [
    (MARK + b"\ndata: x\n\n", [], [X]),
    (MARK + b"\rdata: x\r\r", [], [X]),
    (MARK + b"\r\ndata: x\r\n\r\n", [X], [X]),  # the LF ends a line of a CR: no harm is done
    (MARK + b"\n\ndata: x\n\n", [X], [X]),
    (MARK + b"\ndata: lost\ndata: x\n\n", [X], [("message", "lost\nx", "")]),
    (MARK + b"\nevent: e\ndata: x\n\n", [X], [("e", "x", "")]),
    (MARK + b"\nid: 1\ndata: x\n\n", [X], [("message", "x", "1")]),
]


def departure_jobs() -> list[Job]:
    return [job(repr(wire), [wire]) for wire, _, _ in DEPARTURE]


def differences(
    jobs: Sequence[Job], answers: Answers, reading: Callable[[Sequence[bytes]], Events] = parsed
) -> list[str]:
    """Say where the browser's events are not what a reading of the wire gives."""
    return [
        f"{job.name}: {job.wire!r} gives {answers[job.name]!r}, not {reading(job.reads)!r}"
        for job in jobs
        if answers[job.name] != reading(job.reads)
    ]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """Give what the browser makes of every job."""
    program = chromium.find()
    jobs = [*vector_jobs(), *generated_jobs(), *departure_jobs()]
    exchange = Exchange(jobs)
    folder = tmp_path_factory.mktemp("browser")
    with serving(exchange) as url, chromium.started([program], url, folder) as browser:
        exchange.wait(browser)
    return {job.name: exchange.answers[number] for number, job in enumerate(jobs)}


def test_vectors(answers: Answers) -> None:
    assert differences([job for job in vector_jobs() if not departs(job.wire)], answers) == []


def test_vectors_are_what_the_files_say_as_well(answers: Answers) -> None:
    cases = [case for case in load("spec", "bugreports_sse") if not departs(case.wire)]

    assert [case.name for case in cases if answers[f"{case.name}, whole"] != case.events] == []
    assert len(cases) >= 550


def test_generated_wires(answers: Answers) -> None:
    jobs = [job for job in generated_jobs() if not departs(job.wire)]

    assert differences(jobs, answers) == []
    assert len(jobs) >= 2 * 3_000


def test_the_one_departure_from_the_standard(answers: Answers) -> None:
    assert [(wire, answers[repr(wire)], parsed([wire])) for wire, _, _ in DEPARTURE] == DEPARTURE

    jobs = [job for job in [*vector_jobs(), *generated_jobs()] if departs(job.wire)]
    assert differences(jobs, answers, parsed_as_chromium_reads) == []
    assert len(differences(jobs, answers)) >= 10


def test_the_comparison_can_fail(answers: Answers) -> None:
    sent = vector_jobs()[-1]
    another = Job(sent.name, (b"data: never sent\n\n",), sent.names)

    assert differences([sent], answers) == []
    assert len(differences([another], answers)) == 1
    assert len(differences([sent], {sent.name: None})) == 1
