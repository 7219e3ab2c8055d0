"""Read the tool calls of a chat stream; which call a piece belongs to is ``_routes``' business.

Some hosts send an id that says nothing, arguments as an object, or a whole call once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._made import arguments_delta
from .._register import Register
from .._types import Delta, ToolCallDelta, ToolCallEnd, ToolCallStart
from ._get import compact, mapping, number, text
from ._routes import Route, Routes

_NO_ID = ("", "null")  # what some hosts send for a value that is not there


class Calls:
    """Read the calls of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._routes: dict[int, Routes] = {}

    def read(self, call: dict[str, Any], choice: int, payload: dict[str, Any]) -> Iterator[Delta]:
        """Give the deltas of a piece of a call."""
        custom = isinstance(call.get("custom"), dict)
        function = mapping(call.get("custom") if custom else call.get("function"))
        id = text(call.get("id"))
        id = "" if id in _NO_ID else id
        name = text(function.get("name"))
        index = number(call.get("index"))
        arguments = function.get("input" if custom else "arguments")
        routes = self._routes.setdefault(choice, Routes())
        route = routes.find(id, index, name)
        news = route is None
        if route is None:
            if not (id or name or arguments):
                return
            route = self._opened(routes, choice, index)
        news = news or (bool(id) and not route.id) or (bool(name) and not route.name)
        routes.note(route, id, index)
        route.name = route.name or name
        slot = route.slot
        if isinstance(call.get("extra_content"), dict):
            slot.metadata["extra_content"] = call["extra_content"]
        if news:
            yield ToolCallStart(
                slot.number, id or None, name or None, choice, custom=custom, raw=payload
            )
        yield from self._arguments(route, arguments, payload)

    def simple(self, calls: Any, choice: int, payload: dict[str, Any]) -> Delta | None:
        """Give the delta of a list of calls, if it is one more piece of an open one's arguments."""
        routes = self._routes.get(choice)
        call = calls[0] if type(calls) is list and len(calls) == 1 else None
        if routes is None or type(call) is not dict:
            return None
        function, index = call.get("function"), call.get("index")
        if type(function) is not dict or type(index) is not int or function.get("name"):
            return None
        arguments, route = function.get("arguments"), routes.find("", index, "")
        if route is None or not arguments or type(arguments) is not str:
            return None
        if call.get("id") or "custom" in call or "extra_content" in call:
            return None
        routes.note(route, "", index)
        route.has_arguments = True
        return arguments_delta(route.slot.number, arguments, payload)

    def _opened(self, routes: Routes, choice: int, index: int | None) -> Route:
        key = (choice, routes.opened)
        order = routes.next_place(self._register.slot_count, index)
        return Route(self._register.slot("tool_call", key, choice=choice, order=order))

    def _arguments(self, route: Route, arguments: Any, payload: Any) -> Iterator[Delta]:
        if isinstance(arguments, str):
            route.has_arguments = route.has_arguments or bool(arguments)
            if arguments:
                yield ToolCallDelta(route.slot.number, arguments, payload)
        elif arguments is not None:
            whole = compact(arguments)
            if route.has_arguments:
                yield ToolCallEnd(route.slot.number, whole, raw=payload)
            else:
                yield ToolCallDelta(route.slot.number, whole, payload)
            route.has_arguments = True
