"""WatchService: what spectators see of the tables.

Nothing here is called by the tables. A watcher looks at them now and then and is told what
everybody at the table has seen since its last look, so a slow watcher is told less often and costs
nothing meanwhile: its looks wait until the last answer has gone out.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
from kibitz.v1 import watch_pb2 as wire
from kibitz.v1 import watch_pb2_grpc

from kibitz_referee.errors import RefusedError
from kibitz_referee.hall import Hall
from kibitz_referee.live import LiveMatch

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

SERVICE = "kibitz.v1.WatchService"
TABLES = 8
TABLES_MAX = 64
INTERVAL_S = 0.5
INTERVAL_MIN_S = 0.1
WATCHERS_MAX = 16


@dataclass(slots=True)
class _Seen:
    """How much of which deal of a table a watcher was told."""

    deal: int = -1
    told: int = 0
    turn: int | None = None


class Watcher:
    """One spectator: up to so many tables, kept until they are over."""

    def __init__(self, hall: Hall, sets: frozenset[str], tables: int) -> None:
        self._hall, self._sets, self._most = hall, sets, tables
        self._seen: dict[LiveMatch, _Seen] = {}

    def look(self) -> wire.WatchResponse | None:
        """Return what is new, or ``None`` if nothing is."""
        self._choose()
        tables = [*self._news()]
        if not tables:
            return None
        return wire.WatchResponse(tables=tables, playing=self._hall.tables)

    def _choose(self) -> None:
        """Take up tables, each of the set of which the fewest are shown."""
        free = self._most - len(self._seen)
        unseen = self._unseen() if free > 0 else {}
        shown = Counter(live.run.id for live in self._seen)
        while unseen and free > 0:
            name = min(unseen, key=shown.__getitem__)
            self._seen[unseen[name].pop()] = _Seen()
            shown[name] += 1
            free -= 1
            if not unseen[name]:
                del unseen[name]

    def _unseen(self) -> dict[str, list[LiveMatch]]:
        """Return by set the tables that could be shown and are not, the last begun first."""
        found: dict[str, list[LiveMatch]] = {}
        for run in self._hall.sets:
            if not self._sets or run.id in self._sets:
                lives = [live for live in run.live if live.table.deal_begun]
                if new := [live for live in reversed(lives) if live not in self._seen]:
                    found[run.id] = new
        return found

    def _news(self) -> Iterator[wire.WatchedTable]:
        for live, seen in tuple(self._seen.items()):
            table = live.table
            events = self._fresh(live, seen)
            if events or live.closed or table.turn != seen.turn:
                seen.turn = table.turn
                yield _told(live, seen.told, events)
                seen.told += len(events)
            if live.closed:
                del self._seen[live]

    def _fresh(self, live: LiveMatch, seen: _Seen) -> list[int]:
        deal = live.table.deal
        if deal.number != seen.deal:
            seen.deal, seen.told = deal.number, 0
        return deal.log[seen.told :]  # what everybody sees: secrets lie elsewhere


def _told(live: LiveMatch, told: int, events: list[int]) -> wire.WatchedTable:
    table = live.table
    match, deal = table.match, table.deal
    found = wire.WatchedTable(
        set_id=live.run.id,
        match_id=live.plan.id,
        deal=deal.number,
        dealer=deal.dealer,
        totals=deal.totals,
        told=told,
        events=events,
        turn=table.turn,
        over=live.closed,
    )
    if not told:
        found.game = match.game.name
        found.options_json = json.dumps(match.game.options())
        found.seats.extend(match.seats)
    return found


class WatchService(watch_pb2_grpc.WatchServiceServicer):
    """Shows tables to spectators."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._watchers = 0

    async def Watch(  # noqa: N802  # named by the protocol
        self, request: wire.WatchRequest, _context: Context
    ) -> AsyncIterator[wire.WatchResponse]:
        """Follow some of the tables in play."""
        if self._watchers >= WATCHERS_MAX:
            text = f"{WATCHERS_MAX} spectators watch already"
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS", text)
        tables = min(request.max_tables or TABLES, TABLES_MAX)
        watcher = Watcher(self._hall, frozenset(request.set_ids), tables)
        interval = max(INTERVAL_MIN_S, request.interval_ms / 1000 or INTERVAL_S)
        self._watchers += 1
        try:
            while True:
                found = watcher.look()
                if found is not None:
                    yield found
                await asyncio.sleep(interval)
        finally:
            self._watchers -= 1
