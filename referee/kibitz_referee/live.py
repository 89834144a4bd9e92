"""A match in progress at this referee: its table, its chairs, and the set it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kibitz.errors import KibitzError
from kibitz.v1 import bot_pb2 as wire
from kibitz.v1 import log_pb2

from kibitz_referee.chair import NEVER, Chair
from kibitz_referee.errors import BrokenOffError
from kibitz_referee.owner import Owner
from kibitz_referee.plan import Plan, table_name
from kibitz_referee.table import Table
from kibitz_referee.tape import BRIEF_BYTES, Tape, part_of
from kibitz_referee.terms import INFRASTRUCTURE, Failure

if TYPE_CHECKING:
    from kibitz_referee.player import Player
    from kibitz_referee.setrun import SetRun


class LiveMatch:
    """A match whose players have been seated.

    Attributes:
        deals: how many deals it will have, 0 if that is not known.
        tapes: the messages of seats for which they are kept.
        ready_by: until when its bots must be ready; ``None`` when it has begun.
    """

    __slots__ = (
        *("_decks", "_owners", "chairs", "closed", "deals"),
        *("plan", "ready_by", "run", "table", "tapes"),
    )

    def __init__(self, run: SetRun, plan: Plan, players: list[Player], now: float) -> None:
        self.run, self.plan = run, plan
        self.deals = run.deals_per_match
        self.ready_by: float | None = now + run.clock.ready
        self.closed = False
        self.tapes: dict[int, Tape] = {}
        self.table = Table(
            table_name(run.id, plan.id), run.game, plan.names, plan.decks, run.clock, run.policy
        )
        self._decks = plan.deck_hashes
        self.chairs = [
            Chair(self, self.table, seat, player, player.new_slot())
            for seat, player in enumerate(players)
        ]
        for chair in self.chairs:
            if chair.seat in plan.taped:
                chair.tape = self.tapes[chair.seat] = Tape()
                chair.player.taped += 1
            chair.player.chairs[chair.slot] = chair
            chair.player.tell(chair)
        self._owners: set[Owner] = set()
        for player in players:
            self.counts_for(player.owner)

    def counts_for(self, owner: Owner) -> None:
        """Have its decks count as in play for an owner until it is over."""
        if owner not in self._owners:
            self._owners.add(owner)
            owner.takes_up(self._decks)

    def ready(self, chair: Chair) -> None:
        """Note that a bot is ready; begin when all are."""
        chair.ready = True
        if self.ready_by is None or not all(one.ready for one in self.chairs):
            return
        self.ready_by = None
        self.run.match_started(self)
        self._guard(self.table.begin)
        self._go_on()

    def answer(self, chair: Chair, action: int, used: float, lag: float) -> str | None:
        """Take a bot's answer to its open decision; return why not, if it was not taken.

        The decision is no longer open then; the caller counts that (``Player.closed``).
        """
        table, clock = self.table, chair.clock
        decision, chair.open = chair.open, NEVER
        if used > clock.tolerance and used > clock.due:
            self._late(chair, used, lag)
            return "LATE"
        chair.answered = decision
        if action not in table.legal:
            self._illegal(chair, action, used, lag)
            return "ILLEGAL_ACTION"
        try:
            ended = table.act(action, used)
        except KibitzError as error:
            self._broken(error)
            return None
        turn = table.turn
        if turn is not None:
            following = self.chairs[turn]
            if not following.waiting:
                following.player.tell(following)
        if ended:
            self.run.deal_done()
            if turn is None:
                self._finish()
        return None

    def overdue(self, chair: Chair, used: float, lag: float) -> None:
        """Note that a bot let the time of its open decision pass."""
        chair.player.close(chair, used)
        self._late(chair, used, lag)

    def give_up(self, chair: Chair, reason: str, detail: str, reading: float, lag: float) -> None:
        """Note that a bot itself reports a failure; ``reading`` is that of its stopwatch."""
        limit = self.table.clocks[chair.seat].limit
        used = 0.0
        if chair.open >= 0:
            used = max(0.0, reading - chair.opened)
            chair.player.close(chair, used)
        self.fail(Failure(chair.seat, reason, detail, limit, used, lag))

    def fail(self, failure: Failure) -> None:
        """Note that a seat failed, in its turn or out of it."""
        if self.closed:
            return
        if self.ready_by is not None:
            text = f"seat {failure.seat} failed before the match began: {failure.detail}"
            self.break_off("NOT_READY", text, failure.seat)
            return
        number = self.table.number
        self._keep_last(self.chairs[failure.seat], failure)
        self._shut()
        self._guard(lambda: self.table.fail(failure))
        if self.closed:
            return
        for _ in range(number, self.table.number):
            self.run.deal_done()
        self._tell_all()
        self._go_on()

    def break_off(self, reason: str, detail: str, seat: int | None = None) -> None:
        """End the match without a result; its set fails."""
        if not self.closed:
            self.close(reason)
            self.run.failed(reason, detail, self.plan.id, seat)

    def close(self, reason: str) -> None:
        """Give up all chairs; ``reason`` is empty if the match was finished."""
        self.closed = True
        for chair in self.chairs:
            news = chair.table_end(reason)
            if chair.tape is not None:
                last = wire.PlayResponse(turns=wire.Turns(news=news))
                chair.tape.add(log_pb2.LoggedMessage(heard=last))
            chair.player.leave(chair, news)
        line = self.run.hall.line
        for owner in self._owners:
            line.played(owner, owner.put_away(self._decks))
        for player in {chair.player for chair in self.chairs}:
            line.freed(player.token)
        self.chairs.clear()  # or chairs and match would keep each other in memory
        self.run.left(self)

    def _late(self, chair: Chair, used: float, lag: float) -> None:
        limit = self.table.clocks[chair.seat].limit
        text = f"took {used * 1000:.0f} ms of {limit * 1000:.0f}"
        said = chair.player.latency.last
        if said:
            session = chair.player.session
            late = session is not None and session.reading is not None
            text += "; of these answers" if late else "; no answer came; of its last answers"
            text += (
                f" the bot says {said['said_ms']} ms, and {said['latency_ms']} were lost on the way"
            )
        self.fail(Failure(chair.seat, "TIMEOUT", text, limit, used, lag, said))

    def _illegal(self, chair: Chair, action: int, used: float, lag: float) -> None:
        table = self.table
        names = table.match.game.actions.names
        name = names[action] if action < len(names) else f"number {action}"
        text = f"{name} is not legal; legal: {' '.join(one.code for one in table.legal)}"
        limit = table.clocks[chair.seat].limit
        self.fail(Failure(chair.seat, "ILLEGAL_ACTION", text, limit, used, lag))

    def _keep_last(self, chair: Chair, failure: Failure) -> None:
        """Keep what a seat that fails was told and said last, also where nobody asked for it."""
        if chair.tape is None:
            chair.tape = self.tapes[chair.seat] = Tape(BRIEF_BYTES, BRIEF_BYTES)
            chair.player.taped += 1
            told = wire.PlayResponse(turns=chair.retold())
            chair.tape.add(log_pb2.LoggedMessage(heard=told))
            session = chair.player.session
            if session is not None and session.reading is not None:
                said = part_of(session.reading, chair.slot)
                entry = log_pb2.LoggedMessage(said=said)
                if said.HasField("actions"):
                    entry.measured_us = chair.player.latency.measured
                chair.tape.add(entry)
        times = failure.milliseconds()
        used = f"{times['used_ms']} ms of {times['limit_ms']} ms, lag {times['lag_ms']} ms"
        chair.tape.note(f"failed: {failure.reason} after {used}")

    def _shut(self) -> None:
        # A failure ends the decision that is open, whoever it is of.
        for chair in self.chairs:
            if chair.open >= 0:
                chair.player.close(chair, 0.0)

    def _tell_all(self) -> None:
        for chair in self.chairs:
            chair.player.tell(chair)

    def _go_on(self) -> None:
        turn = self.table.turn
        if self.closed:
            return
        if turn is None:
            self._finish()
        else:
            self.chairs[turn].player.tell(self.chairs[turn])

    def _finish(self) -> None:
        self.close("")
        self.run.match_finished(self)

    def _guard(self, step: Callable[[], None]) -> None:
        try:
            step()
        except KibitzError as error:
            self._broken(error)

    def _broken(self, error: KibitzError) -> None:
        reason = error.reason if isinstance(error, BrokenOffError) else INFRASTRUCTURE
        self.break_off(reason, str(error))
