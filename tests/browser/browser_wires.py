"""Own the wires that a seed makes, and the scan for every name that a wire may give an event.

Both are made without the parser: a wire is put together from what streams are made of, and the
scan would rather find too many names than miss the one that a reader of the wire comes up with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

ENDS = [b"\n", b"\r", b"\r\n"]
MARK = b"\xef\xbb\xbf"

_TYPES = [
    *("message", "delta", "ping", "error", "open", "close", "火", "événement", "e\u0301", "🦊"),
    *("Message", "ERROR", "constructor", "__proto__", "a b", "a:b", "a,b", "0", "\ufeff", "\ufffd"),
    *("\u2028", "\u00a0x", "x\u0085y", "x\x0by\x0cz", "n" * 300, "", "data", "event", "\x1c"),
]
_TEXTS = [
    *("x", "[DONE]", '{"part": "火"}', "é", "🦊🌅", "नमस्ते", "e\u0301", "שלום", "data: x", ":"),
    *("a\u2028b", "a\u2029b", "a\u0085b", "a\x0bb\x0cc", "a\x1cb\x1dc\x1ed", "\u00a0", "\ufeff"),
    *("", " ", "  two", "\ttab", "end \t", "\ufffd", "\U0010ffff", "\x7f", "9" * 400, "火" * 700),
]
_IDS = ["1", "2", "0", "", "-1", "火", "a b", " ", "\u2028", "\ufffd", "é🦊", "1: 2", "i" * 200]
_TIMES = [
    *("0", "1", "3000", "007", "9" * 30, "9" * 5_000, "", "-1", "+5", "1_0", "1.5", "0x10"),
    *(" 7", "7 ", "soon", "٣", "１", "²", "5\x00"),
]
_BROKEN = [
    *(b"\xff", b"\xc0\x80", b"\xc2", b"\xe2\x82", b"\xe7\x81", b"\xf0\x9f\xa6", b"\xf0\x9f"),
    *(b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80", b"\xe0\x80\x80", b"\x80", b"\xbf\xbf"),
    *(b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xf8\x88\x80\x80\x80"),
    *(b"\0", b"\0\0", b"a\0b", b"\x1a", b"\x1b[0m"),
]
_KNOWN = [b"data", b"data", b"data", b"data", b"event", b"event", b"id", b"id", b"retry"]
_UNKNOWN = [
    *(b"", b"Data", b"DATA", b"data ", b" data", b"\tdata", b"dat", b"datax", b"data\0", b"\0data"),
    *(b"Event", b"event ", b"events", b"ID", b"id ", b"\0id", b"id\0", b"retry\t", b"Retry", b"#"),
    *(b"\xffdata", b"data\xff", MARK + b"data", MARK, b"unknown", "ｄata".encode()),
]
_PARTERS = [
    *([b": "] * 6 + [b":"] * 3 + [b""] * 3),
    *(b":  ", b":\t", b"::", b" :", b" : ", b":\0", b":\xc2\xa0"),
]
_JUNK = [
    *(b"<html>", b'{"error": {"message": "x"}}', b"HTTP/1.1 200 OK", b"\x0b", b"\x0c", b"\xc2\x85"),
    *(b"data", b"data:", b"data: ", b"event:", b"event: ", b"id:", b"id: ", b"retry:", b":", b" "),
    *(b"event: e", b"data: x", b"\n\n", b"\r\r", b"\n\r", b"\r\n\r\n", b"\r\n\n", b"\n\r\n"),
]


def generated(seed: int, count: int) -> list[bytes]:
    """Give wires: the same ones for a seed; every fourth of a kind, from polite to torn."""
    chance = Random(seed)
    kinds = [_well_formed, _sloppy, _hostile, _mutated]
    return [kinds[number % len(kinds)](chance) for number in range(count)]


def _well_formed(chance: Random) -> bytes:
    """Blocks of known fields, each closed, with one line end all through."""
    end = chance.choice(ENDS)
    blocks = []
    for _ in range(chance.randint(0, 6)):
        names = [b"data", *chance.choices([*_KNOWN, b""], k=chance.randint(0, 5))]
        chance.shuffle(names)
        blocks.append(b"".join(name + b": " + _value(name, chance) + end for name in names) + end)
    return chance.choice([b"", b"", b"", MARK]) + b"".join(blocks)


def _sloppy(chance: Random) -> bytes:
    """Lines of known and unknown fields with mixed ends, the last one often without."""
    parts = [chance.choice([b"", b"", b"", MARK, MARK, MARK + chance.choice(ENDS)])]
    for _ in range(chance.randint(0, 20)):
        parts += [_line(chance), chance.choice(ENDS)]
        if chance.random() < 0.35:
            parts.append(chance.choice(ENDS))
    if chance.random() < 0.3:
        parts.append(_line(chance))
    return b"".join(parts)


def _hostile(chance: Random) -> bytes:
    """Lines and pieces of lines, broken characters, NULs, arbitrary bytes."""
    makers: list[Callable[[Random], bytes]] = [
        lambda chance: _line(chance) + chance.choice(ENDS),
        lambda chance: chance.choice([b"data: ", b"event: ", b"id: "]) + chance.choice(_BROKEN),
        lambda chance: chance.choice(ENDS),
        lambda chance: chance.choice(_JUNK),
        lambda chance: chance.choice(_BROKEN),
        lambda chance: bytes(chance.randrange(256) for _ in range(chance.randint(1, 4))),
    ]
    made = chance.choices(makers, weights=[5, 4, 8, 3, 3, 1], k=chance.randint(0, 40))
    return b"".join(make(chance) for make in made)


def _mutated(chance: Random) -> bytes:
    """A well-formed wire in which a few bytes are gone, doubled, new or moved, or a part is cut."""
    wire = bytearray(_well_formed(chance) + _well_formed(chance))
    for _ in range(chance.randint(1, 6)):
        place, other = sorted(chance.randint(0, len(wire)) for _ in range(2))
        edit = chance.randrange(5)
        if edit == 0:
            del wire[place : place + chance.randint(1, 3)]
        elif edit == 1:
            wire[place:place] = wire[place : place + chance.randint(1, 12)]
        elif edit == 2:
            wire[place:place] = chance.choice([*_BROKEN, *ENDS, b":", b" ", MARK])
        elif edit == 3:
            wire[place : place + 1] = bytes([chance.randrange(256)])
        elif other - place < 40:
            del wire[place:other]
    return bytes(wire)


def _line(chance: Random) -> bytes:
    name = chance.choice(_KNOWN if chance.random() < 0.8 else _UNKNOWN)
    parter = chance.choice(_PARTERS)
    value = _value(name.strip().lower(), chance) if parter else b""
    if chance.random() < 0.1:
        place = chance.randint(0, len(value))
        value = value[:place] + chance.choice(_BROKEN) + value[place:]
    return name + parter + value


def _value(name: bytes, chance: Random) -> bytes:
    pools = {b"event": _TYPES, b"id": _IDS, b"retry": _TIMES}
    return chance.choice(pools.get(name, _TEXTS)).encode()


def event_names(wire: bytes) -> frozenset[str]:
    """Give every name that a reader, a wrong one too, may give an event of this wire.

    That is what follows any colon of any line, however lines are cut, with spaces and NULs or
    without; and "message". Only a reader that invents a name goes unheard, and then an event is
    missing where the parser has one.
    """
    text = wire.decode("utf-8", "replace")
    names = {"message", ""}
    for line in {*re.split(r"[\r\n]", text), *text.splitlines()}:
        if "event" not in line.lower():
            continue
        for colon in re.finditer(":", line):
            value = line[colon.end() :]
            names |= {value, value.removeprefix(" "), value.strip(), value.replace("\0", "")}
    return frozenset(names | {name.strip(" \0") for name in names})
