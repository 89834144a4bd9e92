"""Changing all rows of a large table in parts, as migrations do, with word of how far it is."""

from __future__ import annotations

import sys
import time

from sqlalchemy import Connection, TableClause, Update, func, select

PART = 20_000
"""Rows changed by one statement: few enough that memory stays small, whatever the table holds."""

SAID_EVERY = 2.0


def in_parts(connection: Connection, table: TableClause, change: Update, what: str) -> int:
    """Run an update for all rows of a table with a text `id`, some at a time; return how many.

    A table that takes longer than a moment is told of on stderr.
    """
    key = table.c.id
    total = connection.scalar(select(func.count()).select_from(table)) or 0
    done, last, said = 0, "", time.monotonic()
    while True:
        rest = select(key).where(key > last).order_by(key)
        upto = connection.scalar(rest.offset(PART - 1).limit(1))
        part = change.where(key > last)
        connection.execute(part if upto is None else part.where(key <= upto))
        if upto is None:
            break
        done, last = done + PART, upto
        if time.monotonic() - said >= SAID_EVERY:
            said = time.monotonic()
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)
    if done:
        print(f"{what}: all {total:,}", file=sys.stderr, flush=True)
    return total
