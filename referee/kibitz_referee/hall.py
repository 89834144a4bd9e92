"""The hall: all players, all tables, and who sits down where and when."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import structlog

from kibitz_referee import tape
from kibitz_referee.chair import Chair
from kibitz_referee.lag import LagMeter
from kibitz_referee.latency import Latency, Spread
from kibitz_referee.live import LiveMatch
from kibitz_referee.owner import Owner
from kibitz_referee.plan import Plan
from kibitz_referee.player import Introduction, Player
from kibitz_referee.post import Post
from kibitz_referee.setrun import SetRun
from kibitz_referee.terms import DISCONNECT, INFRASTRUCTURE, Failure
from kibitz_referee.waiting import Waiting, WaitingList

if TYPE_CHECKING:
    from kibitz_referee.session import Session

TICK_S = 0.1
"""Time between two looks for bots that are late, silent or gone."""

log = structlog.get_logger("kibitz.referee")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the referee allows; times in seconds."""

    max_tables: int = 5_000
    tables_per_bot: int = 256
    max_waiting: int = 10_000
    max_turns: int = 256
    heartbeat: float = 5.0
    silence: float = 20.0
    grace: float = 15.0
    away: float = 60.0
    lag: float = 0.25


@dataclass(slots=True)
class Counts:
    """What the referee has done since it started; forfeits and penalties by reason.

    ``latency`` is how much longer answers took than their bots say.
    """

    matches: int = 0
    deals: int = 0
    decisions: int = 0
    messages: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    penalties: Counter[str] = field(default_factory=Counter)
    latency: Spread = field(default_factory=Spread)


class Hall:
    """Everything the referee knows.

    Attributes:
        players: the admitted bots, by the SHA-256 of their tokens.
        sets: the sets under way, the oldest first.
        line: the matches that wait to be seated.
        post: what goes out to bots.
        tables: how many matches are under way.
        draining: whether no new sets are taken.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, limits: Limits) -> None:
        self.limits = limits
        self.players: dict[str, Player] = {}
        self.sets: dict[SetRun, None] = {}
        self.counts = Counts()
        self.lag = LagMeter(loop)
        self.line = WaitingList(self.players)
        self.post = Post(loop)
        self.tables = 0
        self.draining = False
        self.now = monotonic  # the loop's own time may stand still for milliseconds
        self.started = monotonic()
        self._loop = loop
        self._owners: WeakValueDictionary[str, Owner] = WeakValueDictionary()
        self._rearranging = False
        self._ticks: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Begin to look after clocks."""
        self.lag.start()
        self._ticks = self._loop.call_later(TICK_S, self._tick)

    def close(self) -> None:
        """Stop."""
        self.lag.stop()
        if self._ticks:
            self._ticks.cancel()

    # Bots.

    def admit(self, token: str, label: str, max_tables: int, owner: str = "") -> None:
        """Let a bot connect; a known one gets new terms.

        Bots of one ``owner`` never play a deck at two tables at once; without a name
        that holds for this bot alone.
        """
        allowed = min(max_tables or self.limits.tables_per_bot, self.limits.max_tables)
        player = self.players.get(token)
        if player is None:
            player = self.players[token] = Player(token, label, allowed, self.now)
        else:
            player.terms(label, allowed)
        if owner != player.owner.name:
            player.belongs_to(self._owners.setdefault(owner, Owner(owner)) if owner else Owner())
        self.line.changed(token)
        self.rearrange()

    def dismiss(self, token: str) -> bool:
        """Forget a bot; return whether it was known."""
        player = self.players.pop(token, None)
        if player is None:
            return False
        self.counts.decisions += player.decisions
        for chair in tuple(player.chairs.values()):
            chair.live.break_off("DISMISSED", f"{player.label} was dismissed", chair.seat)
        for run in tuple(self.sets):
            for plan in tuple(run.pending):
                if token in plan.tokens:
                    seat = plan.tokens.index(token)
                    run.failed("DISMISSED", f"{player.label} was dismissed", plan.id, seat)
        self.line.changed(token)
        if player.session is not None:
            player.session.say_goodbye("DISMISSED", "this bot is no longer expected")
        return True

    def attach(self, player: Player, session: Session, said: Introduction) -> None:
        """Connect a bot; an earlier connection of it gives way."""
        if player.session is not None:
            player.session.say_goodbye("REPLACED", "the bot connected again")
        if player.lost is not None and player.chairs:
            player.away += self.now() - player.lost
        player.session, player.said, player.lost = session, said, None
        tape.note(player, f"connected as session {session.id}")
        player.watch.run(self.now())
        player.latency = Latency(player.watch.busy)
        player.waiting.clear()
        player.farewells.clear()
        for chair in player.chairs.values():
            chair.waiting = False
        player.tell_again(player.chairs.values())
        self.line.changed(player.token)
        self.rearrange()

    def detach(self, player: Player, session: Session, *, left: bool) -> None:
        """Note that a connection is gone; ``left`` if the bot said that it won't come back."""
        if player.session is not session:
            return
        now = self.now()
        player.session, player.lost = None, now
        tape.note(player, "the bot said goodbye" if left else "connection lost")
        player.watch.run(now)
        for chair in tuple(player.chairs.values()):
            if left:
                self._gone(chair, "the bot left")
            elif chair.waiting and chair.table.turn == chair.seat:
                player.open([chair])

    # Sets.

    def add(self, run: SetRun) -> None:
        """Take a set."""
        self.sets[run] = None
        self.rearrange()

    def forget(self, run: SetRun) -> None:
        """Note that a set is over."""
        self.sets.pop(run, None)
        self.rearrange()

    @property
    def waiting(self) -> int:
        """How many matches have not begun."""
        return sum(len(run.pending) for run in self.sets)

    def live(self) -> Iterator[LiveMatch]:
        """Yield the matches under way."""
        for run in tuple(self.sets):
            yield from tuple(run.live)

    def rearrange(self) -> None:
        """Seat whom there is room for, soon."""
        if not self._rearranging:
            self._rearranging = True
            self._loop.call_soon(self._rearrange)

    def _rearrange(self) -> None:
        self._rearranging = False
        if self.lag.credit(self.now()) > self.limits.lag:
            return  # the next tick tries again
        while self.tables < self.limits.max_tables and (waiting := self.line.next()) is not None:
            assert waiting.match is not None  # noqa: S101  # next() passes over the others
            run, plan = waiting.match
            if self._can_sit(waiting, run, plan):
                run.seat(plan)

    def _can_sit(self, waiting: Waiting, run: SetRun, plan: Plan) -> bool:
        """Return whether a match can begin; if it waits for something, it is handed back."""
        for seat, token in enumerate(plan.tokens):
            player = self.players[token]
            if player.session is not None and not player.plays(run.game.name):
                text = f"{player.label} does not play {run.game.name}"
                run.failed("GAME_NOT_PLAYED", text, plan.id, seat)
                return False
            if player.room() < plan.tokens.count(token):
                self.line.until_room(waiting, token)
                return False
            owner = player.owner
            deck = next((deck for deck in plan.deck_hashes if deck in owner.decks), None)
            if deck is not None:
                self.line.until_played(waiting, owner, deck)
                return False
        return True

    # Clocks.

    def _tick(self) -> None:
        self._ticks = self._loop.call_later(TICK_S, self._tick)
        self.look_round()

    def look_round(self) -> None:
        """Find what is overdue: decisions, silent and absent bots, tables that are not ready."""
        now = self.now()
        lag = self.lag.credit(now)
        for player in tuple(self.players.values()):
            self._look_at(player, now, lag)
        for live in self.live():
            if not live.closed and live.ready_by is not None and now > live.ready_by + lag:
                chair = next(chair for chair in live.chairs if not chair.ready)
                text = f"{chair.player.label} was not ready within {live.run.clock.ready:g} s"
                live.break_off("NOT_READY", text, chair.seat)
        self._look_for_absent(now)
        self.rearrange()

    def _look_at(self, player: Player, now: float, lag: float) -> None:
        session = player.session
        if session is not None and now - session.heard > self.limits.silence + lag:
            session.end("SILENT", f"nothing was heard for {self.limits.silence:g} s")
        if player.watch.open:
            reading = player.watch.run(now - lag)
            for chair in tuple(player.chairs.values()):
                used = reading - chair.opened
                if chair.open >= 0 and used > chair.clock.due:
                    chair.live.overdue(chair, used, lag)
        if player.lost is not None and player.chairs:
            gone = now - player.lost
            for chair in tuple(player.chairs.values()):
                in_all = player.away - chair.away + gone
                if gone > self.limits.grace or in_all > self.limits.away:
                    text = f"away for {gone:.1f} s, {in_all:.1f} s in all"
                    self._gone(chair, text, gone, lag)

    def _gone(self, chair: Chair, detail: str, gone: float = 0.0, lag: float = 0.0) -> None:
        live = chair.live
        if live.ready_by is not None:
            live.break_off("BOT_ABSENT", f"{chair.player.label}: {detail}", chair.seat)
        elif all(one.player.session is None for one in live.chairs):
            live.break_off(INFRASTRUCTURE, "all bots of the table were disconnected")
        else:
            live.fail(Failure(chair.seat, DISCONNECT, detail, self.limits.grace, gone, lag))

    def _look_for_absent(self, now: float) -> None:
        for run in tuple(self.sets):
            if not run.pending or now - run.asked <= run.clock.ready:
                continue
            plan = next(iter(run.pending))
            for seat, token in enumerate(plan.tokens):
                player = self.players[token]
                if player.lost is not None and now - max(player.lost, run.asked) > run.clock.ready:
                    text = f"{player.label} is not connected"
                    run.failed("BOT_ABSENT", text, plan.id, seat)
                    break
