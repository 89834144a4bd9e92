"""Tables being played, for the dashboard: from the referee into a stream in Redis, on demand.

Viewers are noted in Redis by the dashboard. While there are any, the referee's public view of some
tables goes into the stream, each message the whole deal so far: whoever comes late or misses
messages needs only the newest one of a table. While nobody looks, nothing is asked and written.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, TypeAlias

import redis
import structlog
from kibitz.v1 import watch_pb2 as wire
from redis.typing import EncodableT, FieldT

from kibitz_worker.play.referee import Referee

TABLES = "kibitz:tables"
"""The stream; a message has the fields `match` and `state`, a JSON object."""

WATCHED = "kibitz:watched"
"""A key that exists as long as somebody looks at tables; the dashboard renews it."""

WATCHED_S = 15
"""For how long it stays."""

KEPT = 200
MOST_TABLES = 8
INTERVAL_MS = 700
LOOK_SECONDS = 1.0

GoesOn: TypeAlias = Callable[[], Awaitable[bool]]

_SET = re.compile(r"([a-z0-9]+)-\d+-\d+")

log = structlog.get_logger(__name__)


class Relay:
    """Carries tables from a referee to Redis while somebody looks."""

    def __init__(self, referee: Referee, connection: redis.Redis, goes_on: GoesOn) -> None:
        self._referee, self._connection, self._goes_on = referee, connection, goes_on
        self._states: dict[str, dict[str, Any]] = {}

    async def look(self) -> None:
        """Carry until nobody looks any more; return at once if nobody does.

        Raises RefereeError; trouble with Redis ends the look without a word.
        """
        if not await self._watched():
            return
        carrying = asyncio.ensure_future(self._carry())
        try:
            while not carrying.done() and await self._goes_on() and await self._watched():
                await asyncio.wait({carrying}, timeout=LOOK_SECONDS)
        finally:
            carrying.cancel()
            with suppress(asyncio.CancelledError):
                await carrying

    async def _carry(self) -> None:
        self._states.clear()
        async for response in self._referee.watch(MOST_TABLES, INTERVAL_MS):
            await asyncio.to_thread(self._publish, [*self._take(response.tables)])

    async def _watched(self) -> bool:
        try:
            return bool(await asyncio.to_thread(self._connection.exists, WATCHED))
        except (redis.RedisError, OSError):
            return False

    def _take(self, tables: Iterable[wire.WatchedTable]) -> Iterable[dict[str, Any]]:
        """Put what is new to what was told before; yield the tables of tournaments as they are."""
        for table in tables:
            found = _SET.fullmatch(table.set_id)
            if found is None:  # a trial of a submitted bot
                continue
            state = self._states.setdefault(table.match_id, {"events": []})
            if not table.told:
                state["events"] = []
                state["game"] = table.game
                state["options"] = json.loads(table.options_json)
                state["seats"] = list(table.seats)
            state["events"] = state["events"][: table.told] + list(table.events)
            state |= {
                "tournament": found[1],
                "set": table.set_id,
                "match": table.match_id,
                "deal": table.deal,
                "dealer": table.dealer,
                "totals": list(table.totals),
                "turn": table.turn if table.HasField("turn") else None,
                "over": table.over,
            }
            if table.over:
                del self._states[table.match_id]
            yield state

    def _publish(self, states: list[dict[str, Any]]) -> None:
        try:
            with self._connection.pipeline(transaction=False) as pipeline:
                for state in states:
                    message: dict[FieldT, EncodableT] = {
                        "match": state["match"],
                        "state": json.dumps(state, separators=(",", ":")),
                    }
                    pipeline.xadd(TABLES, message, maxlen=KEPT, approximate=True)
                pipeline.execute()
        except (redis.RedisError, OSError) as error:
            log.debug("tables are not shown", error=str(error))
