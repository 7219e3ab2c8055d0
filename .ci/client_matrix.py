"""Make the tables of docs/clients.md anew, by running the tests' behaviours: for each client here.

python .ci/client_matrix.py; what to install so that all of them are is on the page, under niquests.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "http_clients")]

from http_client_matrix import CLIENTS, PAGE, remade  # noqa: E402
from http_client_values import missing  # noqa: E402


def main() -> None:
    PAGE.write_text(remade(PAGE.read_text("utf-8")), "utf-8", newline="\n")
    for client in CLIENTS:
        if missing(client):
            print(f"{client.name}: its rows stay as they were: {missing(client)}")


if __name__ == "__main__":
    main()
