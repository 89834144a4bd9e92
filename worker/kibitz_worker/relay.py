"""Tables being played, for the dashboard: from the referees into a stream in Redis, on demand.

Viewers are noted in Redis by the dashboard. While there are any, the referee's public view of some
tables goes into the stream, each message the whole deal so far: whoever comes late or misses
messages needs only the newest one of a table. While nobody looks, nothing is asked and written.

Every machine has a relay for its own referee. Those with tables share the number that is shown.
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

RELAYS = "kibitz:relays"
"""The machines that have tables to show, each with the time by the clock of Redis it last did."""

KEPT = 200
MOST_TABLES = 8
"""So many tables are shown at a time, of all machines together."""

SHOWS_S = 10.0
"""A machine not heard of for so long has no tables to show."""

INTERVAL_MS = 700
LOOK_SECONDS = 1.0
"""Longer than INTERVAL_MS."""

GoesOn: TypeAlias = Callable[[], Awaitable[bool]]

_SET = re.compile(r"([a-z0-9]+)-\d+-\d+")

log = structlog.get_logger(__name__)


def share(connection: redis.Redis, name: str) -> int:
    """Note that a machine has tables to show; return how many of MOST_TABLES are its share.

    Raises redis.RedisError.
    """
    seconds, micros = connection.time()
    now = float(seconds) + float(micros) / 1e6
    with connection.pipeline() as pipeline:
        pipeline.zadd(RELAYS, {name: now})
        pipeline.zremrangebyscore(RELAYS, "-inf", now - SHOWS_S)
        pipeline.zrange(RELAYS, 0, -1)
        names = sorted(pipeline.execute()[-1])
    each, left = divmod(MOST_TABLES, len(names))
    return each + (names.index(name.encode()) < left)


class Relay:
    """Carries tables from a referee to Redis while somebody looks; `name` is its machine's."""

    def __init__(
        self, referee: Referee, connection: redis.Redis, goes_on: GoesOn, name: str = "here"
    ) -> None:
        self._referee, self._connection, self._goes_on = referee, connection, goes_on
        self._name = name
        self._states: dict[str, dict[str, Any]] = {}

    async def look(self) -> None:
        """Carry until nobody looks any more or others have more to show; return at once if so.

        Raises RefereeError; trouble with Redis ends the look without a word.
        """
        if not await self._watched() or not await self._playing():
            return
        tables = await self._share()
        if not tables:
            return
        carrying = asyncio.ensure_future(self._carry(tables))
        idle = False
        try:
            while not carrying.done() and await self._goes_on() and await self._watched():
                await asyncio.wait({carrying}, timeout=LOOK_SECONDS)
                # The last tables are told to be over an interval after they are.
                was_idle, idle = idle, not await self._playing()
                if (was_idle and idle) or await self._share() != tables:
                    return
        finally:
            carrying.cancel()
            with suppress(asyncio.CancelledError):
                await carrying

    async def _carry(self, tables: int) -> None:
        self._states.clear()
        async for response in self._referee.watch(tables, INTERVAL_MS):
            await asyncio.to_thread(self._publish, [*self._take(response.tables)])

    async def _watched(self) -> bool:
        try:
            return bool(await asyncio.to_thread(self._connection.exists, WATCHED))
        except (redis.RedisError, OSError):
            return False

    async def _playing(self) -> bool:
        return bool((await self._referee.presence()).load.tables)

    async def _share(self) -> int:
        """How many of the tables that are shown are this machine's; says that it has some."""
        try:
            return await asyncio.to_thread(share, self._connection, self._name)
        except (redis.RedisError, OSError):
            return 0

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
