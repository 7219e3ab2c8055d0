"""Own the tables of docs/clients.md: which clients there are, their cells, and the Markdown."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from http_behaviours import WHAT_COMES, WHAT_IS_RAISED
from http_client_values import AnyClient, expression, missing, public_name, version
from http_clients_async import ASYNC
from http_clients_sync import SYNC

PAGE = Path(__file__).parent.parent.parent / "docs" / "clients.md"
CLIENTS: list[AnyClient] = sorted([*SYNC, *ASYNC], key=lambda client: client.name)
BEHAVIOURS = {**WHAT_COMES, **WHAT_IS_RAISED}
PASSED = {"Reads": expression, "`drops` of `follow`": lambda client: drops(client)}
TABLES = {"expressions": PASSED, "matrix": WHAT_COMES, "errors": WHAT_IS_RAISED}
WORDS = ("yes", "n/a", "nothing")  # cells that are no code
VERSIONS = re.compile(r"^Made with .*$", re.M)

Rows = dict[str, list[str]]


def drops(client: AnyClient) -> str:
    """Give what ``follow`` is told about a client, as it is written."""
    names = [public_name(client, kind) for kind in client.drops()]
    return f"({', '.join(names)}{',' * (len(names) == 1)})"


@cache
def cell(client: AnyClient, column: str) -> str:
    """Give what stands in the row of a client: once, since it takes time."""
    text = {**PASSED, **BEHAVIOURS}[column](client)
    if text in WORDS or text.startswith("no: "):
        return text
    return f"`{text}`"


def shown(table: str, page: str) -> Rows:
    """Give the rows of a table in the page, by client."""
    part = page.partition(f"<!-- {table} -->")[2].partition(f"<!-- /{table} -->")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
    rows = [[text.strip() for text in line.strip("|").split("|")] for line in lines]
    return {name: cells for name, *cells in rows}


def made(table: str, page: str) -> str:
    """Make a table; the rows of clients that are not here stay what they are in the page."""
    before = shown(table, page)
    columns = list(TABLES[table])
    lines = [f"| Client | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for client in CLIENTS:
        cells = before.get(client.name, ["?"] * len(columns))
        if not missing(client):
            cells = [cell(client, column) for column in columns]
        lines.append(f"| {client.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def versions(page: str) -> str:
    """Say which versions the cells are of."""
    found = VERSIONS.search(page)
    tested = dict(re.findall(r"([\w.]+) (\d[\w.]*\w)", found[0] if found else ""))
    for client in CLIENTS:
        if not missing(client):
            tested[client.package.replace("http.client", "Python")] = version(client)
    return f"Made with {', '.join(f'{name} {tested[name]}' for name in sorted(tested))}."


def remade(page: str) -> str:
    """Give the page with its tables made anew."""
    for table in TABLES:
        start, end = f"<!-- {table} -->", f"<!-- /{table} -->"
        before, _, rest = page.partition(start)
        page = f"{before}{start}\n\n{made(table, page)}\n\n{end}{rest.partition(end)[2]}"
    return VERSIONS.sub(versions(page), page)
