"""Own who takes part in the race: the packages, their versions, and the Python each of them needs.

How one is driven is said in the ``peers_*`` modules and in ``node_peer.py``.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import contenders
import node_peer
import own_venv
import peers_async
import peers_bytes
import peers_clients
import peers_sdks
from contenders import FLOOR, OURS, Contender, Reader

PINNED_ON = "2026-11-30"
ROOT = Path(__file__).resolve().parent.parent
NODE_PACKAGES = ROOT / ".cache" / "benchmarks" / "node"
NODE = "eventsource-parser"
NODE_VERSION = "4.1.3"


@dataclass(frozen=True, slots=True)
class Peer:
    """A released parser.

    Args:
        name: What it is called here: its package, if it takes part in one way only.
        package: What is installed.
        version: That is measured.
        reader: Makes the function that drives it.
        since: The first Python it runs on.
    """

    name: str
    package: str
    version: str
    reader: Callable[[], Reader]
    since: tuple[int, int] = (3, 10)


def _peer(
    name: str, version: str, reader: Callable[[], Reader], since: tuple[int, int] = (3, 10)
) -> Peer:
    return Peer(name, name, version, reader, since)


PEERS = (
    _peer("launchdarkly-eventsource", "1.7.4", peers_bytes.launchdarkly),
    _peer("httpx-sse", "0.4.3", peers_bytes.httpx_sse),
    Peer("httpx-sse-response", "httpx-sse", "0.4.3", peers_clients.httpx_sse_response),
    _peer("httpx2", "2.16.2", peers_bytes.httpx2, (3, 11)),
    _peer("sseclient-py", "1.9.0", peers_bytes.sseclient_py),
    _peer("openai", "3.57.0", peers_sdks.openai),
    _peer("anthropic", "2.14.0", peers_sdks.anthropic),
    _peer("groq", "1.7.0", peers_sdks.groq),
    _peer("google-genai", "3.6.1", peers_sdks.google_genai, (3, 11)),
    _peer("mistralai", "3.7.0", peers_sdks.mistralai),
    _peer("cohere", "7.3.1", peers_sdks.cohere),
    _peer("langgraph-sdk", "0.4.14", peers_sdks.langgraph_sdk),
    _peer("llmstream", "0.1.0", peers_bytes.llmstream),
    _peer("larzsse", "0.1.0", peers_bytes.larzsse),
    _peer("assel", "1.0.0", peers_bytes.assel, (3, 11)),
    _peer("axio-sse", "0.12.2", peers_bytes.axio_sse, (3, 12)),
    _peer("sseurl", "0.1.0", peers_bytes.sseurl),
    _peer("niquests", "3.21.2", peers_clients.niquests),
    _peer("requests-sse", "0.5.3", peers_clients.requests_sse),
    _peer("sseclient", "0.0.27", peers_clients.sseclient),
    _peer("aiosseclient", "0.1.8", peers_async.aiosseclient),
    _peer("aiohttp-sse-client2", "0.3.0", peers_async.aiohttp_sse_client2),
)
NAMES = (OURS, FLOOR, *(peer.name for peer in PEERS), NODE)

# Or else niquests' fork of urllib3 would take the place of urllib3, which two others use.
PIP_OPTIONS = ("--no-binary", "urllib3-future")
PIP_VARIABLES = {"URLLIB3_NO_OVERRIDE": "1"}


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who takes part.

    Args:
        contenders: They.
        left_out: Why each of the others does not.
    """

    contenders: tuple[Contender, ...]
    left_out: dict[str, str]


def pinned(python: tuple[int, int] = sys.version_info[:2]) -> dict[str, str]:
    """Give name and version of each package that can be installed for a Python."""
    # httpx-sse does not declare httpx; the others read partial JSON.
    needed = {
        "httpx": "0.28.1",
        "jiter": "0.19.0",
        "jsonriver": "1.0.0",
        "partial-json-stream": "1.0.0",
        "streaming-json-parser": "0.3.0",
    }
    return needed | {peer.package: peer.version for peer in PEERS if peer.since <= python}


def lineup(names: Collection[str], python: tuple[int, int] = sys.version_info[:2]) -> Lineup:
    """Make contenders; untorn is always one of them, since the others are compared with it.

    Args:
        names: Who is wanted, of ``NAMES``.
        python: The version they run on.
    """
    made = [contenders.ours()]
    left_out = {}
    if FLOOR in names:
        made.append(contenders.floor())
    for peer in PEERS:
        if peer.name in names and peer.since > python:
            left_out[peer.name] = f"needs Python {'.'.join(map(str, peer.since))}"
        elif peer.name in names:
            made.append(Contender(peer.name, peer.version, peer.reader()))
    if NODE in names:
        try:
            made.append(_on_node())
        except node_peer.NodeError as error:
            left_out[NODE] = str(error)
    return Lineup(tuple(made), left_out)


def _on_node() -> Contender:
    command = node_peer.installed(NODE_PACKAGES, NODE, NODE_VERSION, own_venv.say)
    reader = node_peer.NodeReader(command)
    atexit.register(reader.close)
    return Contender(NODE, NODE_VERSION, reader.read, reader.timed)
