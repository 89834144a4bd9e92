"""A table: one match being played under its clock and policy.

Pure: it knows neither connections nor the time of day. Whoever runs it says what a seat did and how
long it was charged for that, and reads from ``turn``, ``legal`` and ``decision`` who is next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from kibitz.actions import Action, Actions
from kibitz.deal import Deal
from kibitz.game import Game
from kibitz.match import Played
from kibitz.remark import COMMENTS_BYTES, Remark, written

from kibitz_referee.clock import SeatClock
from kibitz_referee.errors import BrokenOffError
from kibitz_referee.terms import (
    CRASH,
    DISCONNECT,
    RESIGN,
    STALL,
    STALLED_AFTER,
    TIMEOUT,
    ClockTerms,
    Failure,
    Forfeited,
    OnFailure,
    Penalty,
    Policy,
)

Luck = tuple[Sequence[int], str | None]
"""The deck of a deal (card numbers) and the card cut, if the deal has one."""

Note = list[Any]
"""A decision as records hold it: seat and code."""

_WHOLE_MATCH = frozenset({DISCONNECT, STALL})
_NO_SUBSTITUTE = frozenset({CRASH, RESIGN})


@cache
def notes(actions: Actions, seats: int) -> tuple[tuple[Note, ...], ...]:
    """Return the note of each action by each seat; whoever notes one down shares it."""
    return tuple(tuple([seat, name] for name in actions.names) for seat in range(seats))


class Table:
    """A match in progress.

    Attributes:
        turn: the seat that decides; ``None`` before ``begin`` and when the match is over.
        decision: the number of the decision that is open, counted through the match.
        legal: what may be done, by rising number.
        number: the number of the deal under way, or of deals if the match is over.
        deal: the deal under way.
        forfeits, penalties: what went wrong so far.
    """

    __slots__ = (
        "_actions",
        "_decks",
        "_notes",
        "_remarks",
        "_said",
        "_times",
        "clock",
        "clocks",
        "deal",
        "decision",
        "forfeits",
        "id",
        "legal",
        "match",
        "number",
        "penalties",
        "policy",
        "turn",
    )

    deal: Deal

    def __init__(
        self,
        table_id: str,
        game: Game,
        names: Sequence[str],
        decks: Sequence[Luck],
        clock: ClockTerms,
        policy: Policy,
    ) -> None:
        self.id, self.clock, self.policy = table_id, clock, policy
        self.match = game.new_match(names)
        increment = 0.0 if clock.untimed else clock.increment
        cap = clock.start if clock.untimed else clock.cap
        self.clocks = [
            SeatClock(clock.start, increment, cap, clock.tolerance) for _ in range(game.seats)
        ]
        self.forfeits: list[Forfeited] = []
        self.penalties: list[Penalty] = []
        self.turn: int | None = None
        self.decision = self.number = 0
        self.legal: tuple[Action, ...] = ()
        self._decks = decks
        self._remarks: dict[int, Remark] = {}
        self._said = [0] * game.seats
        self._times: list[float] = []
        self._actions: list[Note] = []
        self._notes = notes(game.actions, game.seats)

    @property
    def deal_begun(self) -> bool:
        """Whether a deal has been dealt yet."""
        return hasattr(self, "deal")

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    def begin(self) -> None:
        """Deal the first deal.

        Raises:
            BrokenOffError: there is no deck for it.
        """
        self._next_deal()

    def act(self, action: int, used: float) -> bool:
        """Take the action of the seat whose turn it is; return whether that ended a deal.

        ``used`` is what the seat is charged, in seconds. The action must be in ``legal``; what
        is not, or is too late, goes to :meth:`fail`.

        Raises:
            BrokenOffError: the next deal cannot be dealt.
        """
        seat = self.turn
        assert seat is not None  # noqa: S101  # the caller looked whose turn it is
        clock = self.clocks[seat]
        left = clock.bank - used  # as ``charge`` has it
        clock.bank = left if left > 0.0 else 0.0
        clock.missed = 0
        return self._apply(seat, action, used)

    def remark(self, remark: Remark) -> bool:
        """Keep what the seat whose turn it is says of the action that it is about to take.

        Returns whether there was room for its comment; its policy is kept in any case. If the
        action is not taken after all, the remark is dropped.
        """
        seat = self.turn
        assert seat is not None  # noqa: S101  # as for act
        size = len(remark.comment.encode())
        room = self._said[seat] + size <= COMMENTS_BYTES
        if not room:
            remark = Remark("", remark.policy)
        else:
            self._said[seat] += size
        self._remarks[len(self._times)] = remark
        return room

    def fail(self, failure: Failure) -> None:
        """Do what the policy says about a failure of a seat.

        Raises:
            BrokenOffError: the next deal cannot be dealt.
        """
        seat, policy = failure.seat, self.policy
        self._remarks.pop(len(self._times), None)
        if self.turn == seat:
            self.clocks[seat].charge(failure.used)
        if failure.reason == TIMEOUT:
            clock = self.clocks[seat]
            clock.missed += 1
            if clock.missed >= STALLED_AFTER:
                failure = _stalled(failure)
        if failure.reason in _WHOLE_MATCH or policy.on_failure is OnFailure.FORFEIT_MATCH:
            self._forfeit_match(failure)
        elif (
            policy.on_failure is OnFailure.FORFEIT_DEAL
            or failure.reason in _NO_SUBSTITUTE
            or seat != self.turn  # what would be played for it would be another's
        ):
            self._forfeit_deal(failure)
        elif sum(one.failure.seat == seat for one in self.penalties) >= policy.max_penalties:
            self._forfeit_match(failure)
        else:
            self._substitute(failure)

    def finished(self, number: int) -> Played:
        """Return a deal that has been scored."""
        return self.match.played[number]

    def _apply(self, seat: int, action: int, used: float) -> bool:
        deal = self.deal
        self._actions.append(self._notes[seat][action])
        deal.apply(action)
        self._times.append(used)
        self.decision += 1
        turn = deal.turn
        if turn is not None:
            self.turn = turn
            self.legal = deal.phase.legal(deal)
            return False
        self.match.finish(deal, actions=self._actions, **self._written())
        self._next_deal()
        return True

    def _next_deal(self) -> None:
        self._times, self._actions = [], []
        match = self.match
        self.number = match.number
        if match.over:
            self.turn, self.legal = None, ()
            return
        self.deal = self._new_deal()
        for clock in self.clocks:
            clock.next_deal()
        self.turn, self.legal = self.deal.turn, self.deal.legal()

    def _new_deal(self) -> Deal:
        number = self.match.number
        if number >= len(self._decks):
            text = f"the match is not over after {number} deals, and no deck is left"
            raise BrokenOffError("NO_DECK", text)
        deck, cut = self._decks[number]
        return self.match.new_deal(deck, cut)

    def _forfeit_deal(self, failure: Failure) -> None:
        self._count_forfeit(failure)
        self.decision += 1
        self._next_deal()

    def _forfeit_match(self, failure: Failure) -> None:
        self._count_forfeit(failure)
        self.decision += 1
        while not self.match.over:
            self.number = self.match.number
            self.deal = self._new_deal()
            self._times, self._actions = [], []
            self._count_forfeit(failure)
        self.number = self.match.number
        self.turn, self.legal = None, ()

    def _count_forfeit(self, failure: Failure) -> None:
        self.forfeits.append(Forfeited(self.number, failure))
        self.match.forfeit(
            self.deal,
            failure.seat,
            failure.reason,
            actions=self._actions,
            clock=failure.milliseconds(),
            **self._written(),
        )

    def _written(self) -> dict[str, Any]:
        """Return the times of the deal that ends and what was said in it, as records hold them."""
        times: dict[str, Any] = {"times_ms": [int(used * 1000) for used in self._times]}
        if not self._remarks:
            return times
        remarks, self._remarks = self._remarks, {}
        return {**times, **written(remarks)}

    def _substitute(self, failure: Failure) -> None:
        actions = self.deal.game.actions
        least = actions.number.get("pass", -1)
        action = least if least in self.legal else self.legal[0]
        self.penalties.append(Penalty(self.number, failure, actions.names[action]))
        self._apply(failure.seat, action, failure.used)


def _stalled(failure: Failure) -> Failure:
    text = f"no answer to {STALLED_AFTER} decisions in a row"
    return replace(failure, reason=STALL, detail=text)
