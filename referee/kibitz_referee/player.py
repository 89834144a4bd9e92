"""A player: a bot that was admitted, whether it is connected or not, with the chairs it holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz_referee.chair import NEVER, Chair
from kibitz_referee.clock import Stopwatch
from kibitz_referee.latency import Latency
from kibitz_referee.owner import Owner

if TYPE_CHECKING:
    from kibitz.v1 import bot_pb2 as wire

    from kibitz_referee.session import Session


@dataclass(slots=True)
class Introduction:
    """What a bot said about itself."""

    bot: str = ""
    sdk: str = ""
    rules: int = 0
    games: frozenset[str] = frozenset()
    max_tables: int = 0


class Player:
    """An admitted bot.

    Attributes:
        chairs: the seats it holds, by slot.
        waiting: chairs about which the bot is to be told something.
        farewells: news of tables it no longer sits at.
        owner: whose it is, with the decks at the owner's tables; itself where nobody is named.
        lost: since when it has been disconnected; ``None`` while it is connected.
        taped: how many of its seats have a tape.
        away: how many seconds it was disconnected before that while it held seats.
        latency: what it says of its answers on this connection, or on the last one.
    """

    def __init__(self, token: str, label: str, max_tables: int, now: Callable[[], float]) -> None:
        self.token, self.label, self._max_tables, self._now = token, label, max_tables, now
        self.said = Introduction()
        self.session: Session | None = None
        self.chairs: dict[int, Chair] = {}
        self.waiting: deque[Chair] = deque()
        self.farewells: list[wire.News] = []
        self.watch = Stopwatch(now())
        self.latency = Latency(0.0)
        self.owner = Owner()
        self.lost: float | None = now()
        self.away = 0.0
        self.taped = 0
        self.decisions = 0
        self.charged = 0.0
        self._slots = 0

    def terms(self, label: str, max_tables: int) -> None:
        """Change the terms of its admission."""
        self.label, self._max_tables = label, max_tables

    def belongs_to(self, owner: Owner) -> None:
        """Give it to an owner; the tables where it sits count for both as long as they last."""
        self.owner = owner
        for live in {chair.live for chair in self.chairs.values()}:
            live.counts_for(owner)

    @property
    def max_tables(self) -> int:
        """At how many seats it may sit at once."""
        said = self.said.max_tables
        return min(said, self._max_tables) if said else self._max_tables

    def room(self) -> int:
        """Return at how many further seats it can sit down."""
        return 0 if self.session is None else self.max_tables - len(self.chairs)

    def plays(self, game: str) -> bool:
        """Return whether the bot claims a game."""
        return not self.said.games or game in self.said.games

    def new_slot(self) -> int:
        """Return a slot that was never used before."""
        self._slots += 1
        return self._slots

    def tell(self, chair: Chair) -> None:
        """Have the bot told what is new at a chair."""
        if chair.waiting:
            return
        chair.waiting = True
        waiting = self.waiting
        waiting.append(chair)
        if self.session is None:
            if chair.table.turn == chair.seat:
                self.watch.run(self._now())
                self.open([chair])  # nobody is there, and the clock runs
        elif len(waiting) == 1:  # of what waits already it knows
            self.session.out.notice()

    def tell_again(self, chairs: Iterable[Chair]) -> None:
        """Have the bot told everything about some chairs."""
        for chair in chairs:
            chair.forget()
            self.tell(chair)

    def open(self, chairs: Sequence[Chair], credit: float = 0.0) -> None:
        """Start the clocks of the decisions at some chairs.

        It is ``credit`` seconds later than the time to which the stopwatch was run.
        A decision that is told again after a reconnect has been open all the time.
        """
        new = [chair for chair in chairs if chair.open != chair.table.decision]
        if not new:
            return
        watch = self.watch
        if not watch.open:
            watch.busy -= credit
        watch.open += len(new)
        opened = watch.reading + credit / watch.open
        for chair in new:
            chair.open = chair.table.decision
            chair.opened = opened

    def busy(self, until: float) -> float:
        """Let time pass; return for how many seconds it had decisions open in all."""
        self.watch.run(until)
        return self.watch.busy

    def close(self, chair: Chair, used: float) -> None:
        """Note that a decision is no longer open."""
        chair.open = NEVER
        self.closed(1, used)

    def closed(self, count: int, used: float) -> None:
        """Count decisions that are no longer open, and what they were charged together."""
        self.watch.open -= count
        self.decisions += count
        self.charged += used

    def leave(self, chair: Chair, news: list[wire.News]) -> None:
        """Give up a chair; the bot is told the news if it knows of the table."""
        if chair.open != NEVER:
            chair.open = NEVER
            self.watch.open -= 1
        chair.held = False
        if chair.tape is not None:
            self.taped -= 1
        del self.chairs[chair.slot]
        if chair.started:
            self.farewells += news
            if self.session is not None:
                self.session.out.notice()
