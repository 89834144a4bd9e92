"""A set being run: its matches, and the events its worker hears."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.game import Game
from kibitz.v1 import referee_pb2 as wire
from kibitz.v1 import table_pb2
from pydantic_core import to_json

from kibitz_referee.live import LiveMatch
from kibitz_referee.plan import Plan
from kibitz_referee.terms import ClockTerms, Forfeited, Penalty, Policy

if TYPE_CHECKING:
    from kibitz_referee.hall import Hall

PROGRESS_S = 0.25
"""The least time between two progress events."""


class SetRun:
    """The matches of one RunSet call.

    Attributes:
        events: what the worker is to hear; after ``None`` comes nothing more.
        pending: matches that have not begun, each as it stands in the hall's line.
        live: matches under way.
    """

    def __init__(
        self,
        hall: Hall,
        set_id: str,
        game: Game,
        clock: ClockTerms,
        policy: Policy,
        plans: Sequence[Plan],
        deals_per_match: int,
    ) -> None:
        self.hall, self.id, self.game, self.clock, self.policy = hall, set_id, game, clock, policy
        self.deals_per_match = deals_per_match
        self.pending = {plan: hall.line.add(self, plan) for plan in plans}
        self.live: set[LiveMatch] = set()
        self.events: asyncio.Queue[wire.RunSetResponse | None] = asyncio.Queue()
        self.asked = hall.now()
        self.over = False
        self._deals = 0
        self._deals_total = deals_per_match * len(plans)
        self._told = 0.0

    def seat(self, plan: Plan) -> None:
        """Seat the players of a match; they have room."""
        self.pending.pop(plan).match = None
        players = [self.hall.players[token] for token in plan.tokens]
        self.live.add(LiveMatch(self, plan, players, self.hall.now()))
        self.hall.tables += 1

    def match_started(self, live: LiveMatch) -> None:
        """Tell the worker that a match begins."""
        started = wire.MatchStarted(match_id=live.plan.id)
        self.events.put_nowait(wire.RunSetResponse(match_started=started))

    def deal_done(self) -> None:
        """Count a deal; tell the worker now and then."""
        self._deals += 1
        self.hall.counts.deals += 1
        now = self.hall.now()
        if now - self._told >= PROGRESS_S:
            self._told = now
            progress = wire.Progress(deals_done=self._deals, deals_total=self._deals_total)
            self.events.put_nowait(wire.RunSetResponse(progress=progress))

    def match_finished(self, live: LiveMatch) -> None:
        """Tell the worker the result of a match."""
        counts = self.hall.counts
        counts.matches += 1
        counts.forfeits.update(one.failure.reason for one in live.table.forfeits)
        counts.penalties.update(one.failure.reason for one in live.table.penalties)
        self.events.put_nowait(wire.RunSetResponse(match_finished=result(live)))
        if not self.live and not self.pending and not self.over:
            finished = wire.SetFinished(deals=self._deals)
            self._end(wire.RunSetResponse(set_finished=finished))

    def left(self, live: LiveMatch) -> None:
        """Note that a match is no longer under way."""
        self.live.discard(live)
        self.hall.tables -= 1
        self.hall.rearrange()

    def failed(self, reason: str, detail: str, match_id: str = "", seat: int | None = None) -> None:
        """End the set without the results that are missing."""
        if self.over:
            return
        failed = wire.SetFailed(reason=reason, match_id=match_id, seat=seat, detail=detail)
        self._end(wire.RunSetResponse(set_failed=failed))
        self.abandon(reason)

    def abandon(self, reason: str) -> None:
        """Break off all that is not finished; nobody listens any more."""
        self.over = True
        for waiting in self.pending.values():
            waiting.match = None
        self.pending.clear()
        for live in tuple(self.live):
            live.close(reason)
        self.hall.forget(self)

    def _end(self, event: wire.RunSetResponse) -> None:
        self.over = True
        self.events.put_nowait(event)
        self.events.put_nowait(None)
        self.hall.forget(self)


def result(live: LiveMatch) -> wire.MatchFinished:
    """Return what a worker needs to know of a finished match."""
    table = live.table
    match = table.match
    rated = not table.clock.untimed
    record = match.record(table=table.id, match=live.plan.id, rated=rated)
    return wire.MatchFinished(
        match_id=live.plan.id,
        record_json=to_json(record.data).decode(),
        totals=match.totals,
        returns=match.returns or (),
        forfeits=[forfeit(one) for one in table.forfeits],
        penalties=[_penalty(one) for one in table.penalties],
        rated=rated,
        messages=[
            wire.SeatMessages(seat=seat, log=tape.to_bytes()) for seat, tape in live.tapes.items()
        ],
    )


def forfeit(one: Forfeited) -> table_pb2.Forfeit:
    """Return a forfeited deal as the protocol has it, with all there is to know."""
    failure = one.failure
    return table_pb2.Forfeit(
        deal=one.deal,
        seat=failure.seat,
        reason=failure.reason,
        detail=failure.detail,
        **failure.milliseconds(),
    )


def _penalty(one: Penalty) -> table_pb2.Penalty:
    failure = one.failure
    return table_pb2.Penalty(
        deal=one.deal,
        seat=failure.seat,
        reason=failure.reason,
        action=one.action,
        detail=failure.detail,
        **failure.milliseconds(),
    )
