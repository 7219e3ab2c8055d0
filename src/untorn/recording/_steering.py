"""Own which values steer a reader and have to stay: words of the formats, and names of fields.

A value of a key that steers is kept word by word: what is no word of a format is somebody's, also
under such a key, and becomes another.
"""

from __future__ import annotations

import re

# Keys whose values say what an event is; an id, a name or a model is none of these.
STEERING = frozenset(
    """type object event event_type kind role finish_reason finishReason native_finish_reason
    stop_reason stop_type status state reason outcome blockReason channel service_tier""".split()
)
# Names of members, such as $.rows[0].name, stay as keys do.
PATHS = frozenset({"jsonPath"})
INDEXES = frozenset(
    """index output_index content_index summary_index annotation_index command_index
    sequence_number""".split()
)
# The words of which types, roles, statuses and finish reasons are made, of all formats that are
# known, whatever stands between them: response.output_text.delta, TOOL_CALL_ARGS, tool-calls.
WORDS = frozenset(
    """
    abort action activity added agent ai analysis annotation annotations answer api apply approval
    args arguments armor array artifact assistant audio auth authentication auto available bad
    bash batch billing block blocked blocklist boolean call calls canceled cancelled cancelling
    chat checkpoints chunk citation citations code commentary compaction complete completed
    completion computer container content context conversation created creation custom data debug
    default delta deleted denied developer discarded document done editor encrypted end eos error
    event events exceeded execution expired failed file filter final finish finished flex follow
    found function generation grammar handoff heartbeat human image in incomplete input
    insufficient integer internal interpreter interpreting interrupt interrupted invalid item json
    language length limit link list local location logs malformed many max mcp message messages
    metadata missing model moderation no node not null number object ok openai other outcome
    output outputs overloaded part partial patch pause pending permission ping plan priority
    progress prohibited queued quota rate raw reason reasoning recitation redacted reference
    refusal rejected replace request requests required requires reset resource response result
    results role run running safety scale search searching sequence server service shell signature
    snapshot source spii standard start started state status step stop stopped string submit
    submitted succeeded success summary system task tasks text thinking thought thread timeout
    token tokens too tool tools transcript tts turn unavailable unexpected unspecified up update
    updates url use user value values verbose web window word workflow working
    """.split()
)
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._/:-]+[A-Za-z0-9]+)*")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# Event fields name what readers listen for, which is any name: words in lower case are kept.
EVENT_NAME = re.compile(r"[a-z]+(?:[._/-][a-z]+)*")

_STANDARD = ("data", "event", "id", "retry")
# Names that are in use besides those of the standard: metadata of events, and headers of HTTP.
_IN_PRACTICE = frozenset(
    """comment error event-id event_id heartbeat message meta metadata ping status timestamp
    cache-control connection content-encoding content-length content-type date server
    transfer-encoding""".split()
)
_PATH = re.compile(r"""\$(?:\.[\w-]+|\[(?:[0-9]{1,9}|'[^']*'|"[^"]*")\])*""")
_INDEX = re.compile(r"-?[0-9]{1,9}")


def is_path(value: str) -> bool:
    """Tell whether a text is a path of keys and indexes, as Vertex writes them."""
    return _PATH.fullmatch(value) is not None


def is_index(value: str) -> bool:
    """Tell whether a text or number is short enough to be an index."""
    return _INDEX.fullmatch(value) is not None


def is_field(name: str) -> bool:
    """Tell whether a name of a field says nothing about anybody.

    That is one in use, and one of the standard's that is misspelt by its case or by what is no
    letter, such as "Data", " data" or "data" behind a byte order mark: this is the fault to see.
    """
    return name in _IN_PRACTICE or re.sub(r"[\W_]", "", name).lower() in _STANDARD
