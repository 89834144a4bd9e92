"""RefereeService: what workers ask of the referee."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import grpc
import structlog
from kibitz import __version__
from kibitz.client.options import RULES
from kibitz.v1 import referee_pb2 as wire
from kibitz.v1 import referee_pb2_grpc

from kibitz_referee import requests
from kibitz_referee.errors import RefusedError
from kibitz_referee.hall import Hall
from kibitz_referee.player import Player
from kibitz_referee.setrun import SetRun

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

SERVICE = "kibitz.v1.RefereeService"
LABEL_LENGTH = 120

log = structlog.get_logger("kibitz.referee")


class RefereeService(referee_pb2_grpc.RefereeServiceServicer):
    """Runs sets for workers."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def Admit(  # noqa: N802  # named by the protocol
        self, request: wire.AdmitRequest, _context: Context
    ) -> wire.AdmitResponse:
        """Let bots connect."""
        tokens = [requests.digest(one.token_sha256) for one in request.admissions]
        for token, one in zip(tokens, request.admissions, strict=True):
            label = one.label[:LABEL_LENGTH] or token[:8]
            self._hall.admit(token, label, one.max_tables, one.owner)
        return wire.AdmitResponse()

    async def Dismiss(  # noqa: N802
        self, request: wire.DismissRequest, _context: Context
    ) -> wire.DismissResponse:
        """Forget bots."""
        known = sum(self._hall.dismiss(token) for token in request.token_sha256)
        return wire.DismissResponse(dismissed=known)

    async def Presence(  # noqa: N802
        self, request: wire.PresenceRequest, _context: Context
    ) -> wire.PresenceResponse:
        """Tell about bots and about the load."""
        players = self._hall.players
        wanted = dict.fromkeys(request.token_sha256) or players
        return wire.PresenceResponse(
            players=[_player(players[token]) for token in wanted if token in players],
            load=self._load(),
        )

    async def RunSet(  # noqa: N802
        self, request: wire.RunSetRequest, _context: Context
    ) -> AsyncIterator[wire.RunSetResponse]:
        """Play the matches of a set."""
        run = self._set(request)
        hall = self._hall
        hall.add(run)
        log.info("set begun", set=run.id, game=run.game.name, matches=len(request.matches))
        try:
            while (event := await run.events.get()) is not None:
                yield event
            log.info("set ended", set=run.id)
        finally:
            if not run.over:
                log.info("set abandoned by its worker", set=run.id)
                run.abandon("ABANDONED")

    async def Drain(  # noqa: N802
        self, request: wire.DrainRequest, _context: Context
    ) -> wire.DrainResponse:
        """Take no new sets; wait for those under way."""
        left = await drain(self._hall, request.timeout_ms / 1000 or None)
        return wire.DrainResponse(drained=not left, sets=left)

    def _set(self, request: wire.RunSetRequest) -> SetRun:
        hall = self._hall
        if hall.draining:
            text = "the referee is about to stop; ask another or come back later"
            raise RefusedError(grpc.StatusCode.UNAVAILABLE, "DRAINING", text)
        if hall.waiting + len(request.matches) > hall.limits.max_waiting:
            text = f"{hall.waiting} matches wait already; come back later"
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", text)
        game = requests.read_game(request)
        return SetRun(
            hall,
            request.set_id,
            game,
            requests.read_clock(request),
            requests.read_policy(request.policy),
            requests.read_plans(request, game, hall.players),
            requests.deals_per_match(game),
        )

    def _load(self) -> wire.Load:
        hall = self._hall
        players = hall.players.values()
        return wire.Load(
            version=__version__,
            rules=RULES,
            uptime_ms=round((hall.now() - hall.started) * 1000),
            connections=sum(player.session is not None for player in players),
            tables=hall.tables,
            waiting=hall.waiting,
            matches=hall.counts.matches,
            deals=hall.counts.deals,
            decisions=hall.counts.decisions + sum(player.decisions for player in players),
            messages=hall.counts.messages,
            cpu_ms=round(time.process_time() * 1000),
            lag_p50_ms=hall.lag.percentile(50) * 1000,
            lag_p99_ms=hall.lag.percentile(99) * 1000,
            lag_max_ms=hall.lag.percentile(100) * 1000,
            draining=hall.draining,
            latency_p50_ms=hall.counts.latency.percentile(50) / 1000,
            latency_p99_ms=hall.counts.latency.percentile(99) / 1000,
        )


async def drain(hall: Hall, timeout: float | None) -> int:
    """Take no new sets and wait for those under way; return how many are left after the time."""
    hall.draining = True
    try:
        async with asyncio.timeout(timeout):
            while hall.sets:
                await asyncio.sleep(0.05)
    except TimeoutError:
        pass
    return len(hall.sets)


def _player(player: Player) -> wire.Player:
    mean = player.charged / player.decisions if player.decisions else 0.0
    spread = player.latency.spread
    return wire.Player(
        token_sha256=player.token,
        label=player.label,
        connected=player.session is not None,
        bot=player.said.bot,
        sdk=player.said.sdk,
        games=sorted(player.said.games),
        tables=len(player.chairs),
        max_tables=player.max_tables,
        decisions=player.decisions,
        mean_decision_us=round(mean * 1e6),
        reports=spread.count,
        latency_p50_us=spread.percentile(50),
        latency_p99_us=spread.percentile(99),
    )
