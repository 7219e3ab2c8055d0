"""Own what a client is to these tests: how it opens a URL, what gives its reads, what it raises.

Each client is described once, in http_clients_sync.py and http_clients_async.py. It is imported
where it is used, so that one which is not installed is missing and breaks nothing.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import platform
from collections.abc import AsyncIterable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias

Errors: TypeAlias = tuple[type[Exception], ...]


@dataclass(frozen=True, slots=True)
class Client:
    """Describe a client.

    Args:
        package: What is imported.
        opened: Open a URL with headers and a timeout in seconds; closes all that it opened.
        reads: The documented expression: what ``iter_events`` is given, made of the response.
        drops: What ``follow`` is given as ``drops``: a function, since it needs the import.
        errors: The modules from which users write the names of what it raises.
    """

    package: str
    opened: Callable[[str, dict[str, str], float], AbstractContextManager[Any]]
    reads: Callable[[Any], Iterable[bytes]]
    drops: Callable[[], Errors]
    errors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in the docs."""
        return self.package


@dataclass(frozen=True, slots=True)
class AsyncClient:
    """Describe an asynchronous client, as ``Client`` does."""

    package: str
    opened: Callable[[str, dict[str, str], float], AbstractAsyncContextManager[Any]]
    reads: Callable[[Any], AsyncIterable[bytes]]
    drops: Callable[[], Errors]
    errors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in the docs: one that has no synchronous twin needs no more."""
        return self.package if self.package == "aiohttp" else f"{self.package}, async"


AnyClient: TypeAlias = "Client | AsyncClient"


def loaded(module: str) -> Any:
    """Import what a type checker need not find."""
    return importlib.import_module(module)


def missing(client: AnyClient) -> str:
    """Tell why a client cannot be tested here; empty if it can."""
    try:
        loaded(client.package)
    except ImportError:
        return f"{client.package} is not installed"
    # urllib3-future copies itself over the installed urllib3, which requests uses as well.
    if client.package in ("requests", "urllib3") and hasattr(loaded("urllib3"), "AsyncPoolManager"):
        return "urllib3-future has replaced urllib3 here: see docs/clients.md, niquests"
    return ""


def version(client: AnyClient) -> str:
    """Give the version of a client that is here; that of Python for a part of it."""
    if client.package == "http.client":
        return platform.python_version()
    return importlib.metadata.version(client.package)


def expression(client: AnyClient) -> str:
    """Give the source of what a client's ``reads`` returns: the docs show this."""
    return inspect.getsource(client.reads).rpartition("return ")[2].strip()


def public_name(client: AnyClient, error: type[BaseException]) -> str:
    """Give a class's name as users write it."""
    for name in (client.package, *client.errors):
        if getattr(loaded(name), error.__name__, None) is error:
            return f"{name}.{error.__name__}"
    return error.__name__ if error.__module__ == "builtins" else f"{error!r}, of no known module"
