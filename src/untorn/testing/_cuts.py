"""Own the ways to cut a body into reads."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ._boundaries import Boundary, boundaries

SEED = 1
MOST = 1_200  # cuts in two of one body
_RANDOM = 20  # ways to cut by chance
_PIECES = 5


def every_cut(wire: bytes) -> Iterator[list[bytes]]:
    r"""Give the body in two reads, for each place where it can be cut.

    Args:
        wire: The body.

    Example:
        >>> from untorn.testing import every_cut
        >>> list(every_cut(b"\r\n\n"))
        [[b'\r', b'\n\n'], [b'\r\n', b'\n']]
    """
    for place in range(1, len(wire)):
        yield [wire[:place], wire[place:]]


def each_byte(wire: bytes) -> list[bytes]:
    """Give the body in reads of one byte.

    Args:
        wire: The body.

    Example:
        >>> from untorn.testing import each_byte
        >>> each_byte("火".encode())
        [b'\\xe7', b'\\x81', b'\\xab']
    """
    return [wire[place : place + 1] for place in range(len(wire))]


def random_cuts(wire: bytes, pieces: int, seed: int, count: int) -> Iterator[list[bytes]]:
    """Give the body in so many reads, cut by chance, some of them empty.

    Args:
        wire: The body.
        pieces: How many reads, from 1.
        seed: What chance depends on: the same seed gives the same cuts.
        count: How many ways to cut it.

    Raises:
        ValueError: ``pieces`` is less than 1.

    Example:
        >>> from untorn.testing import random_cuts
        >>> list(random_cuts(b"data: a", pieces=3, seed=1, count=2))
        [[b'd', b'a', b'ta: a'], [b'd', b'ata', b': a']]
    """
    if pieces < 1:
        raise ValueError(f"pieces must be at least 1, not {pieces}")
    chance = Random(seed)
    for _ in range(count):
        places = sorted(chance.randint(0, len(wire)) for _ in range(pieces - 1))
        bounds = zip([0, *places], [*places, len(wire)], strict=True)
        yield [wire[start:end] for start, end in bounds]


def ways(wire: bytes, seed: int) -> Iterator[tuple[str, list[bytes]]]:
    """Give the body cut in all of these ways, each with its name: a number is a cut in two there.

    Of a long body the cuts in two are a sample, of each kind of boundary: to read a body as often
    as it has bytes costs its square.

    Args:
        wire: The body.
        seed: What the cuts by chance depend on.
    """
    for place in _places(wire, seed):
        yield str(place), [wire[:place], wire[place:]]
    yield "byte by byte", each_byte(wire)
    for number, chunks in enumerate(random_cuts(wire, _PIECES, seed, _RANDOM)):
        yield f"random cut {number} of seed {seed}", chunks


def _places(wire: bytes, seed: int) -> list[int]:
    places = range(1, len(wire))
    if len(places) <= MOST:
        return [*places]
    marks = boundaries(wire)
    by_kind = [[place for place in places if marks[place] is kind] for kind in Boundary]
    chance = Random(seed)
    each = MOST // len(Boundary)
    return sorted(p for found in by_kind for p in chance.sample(found, min(each, len(found))))
