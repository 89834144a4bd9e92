"""Answers of a bot: taken where its decision is open, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz_referee.chair import NEVER, Chair
from kibitz_referee.player import Player

TEXTS = {
    "UNKNOWN_SLOT": "this bot holds no such seat; the table may be over",
    "ILLEGAL_ACTION": "the action is not legal",
    "LATE": "the time for this decision was over",
    "ALREADY_ANSWERED": "the decision was taken before; that stands",
    "NOT_YOUR_TURN": "the seat has no such decision to take",
}


def take(
    player: Player,
    slots: Sequence[int],
    decisions: Sequence[int],
    actions: Sequence[int],
    reading: float,
    lag: float,
    reject: Callable[[int, int, str, str], None],
) -> int:
    """Take answers to open decisions; return how many were taken, and reject the others.

    ``reading`` is that of the bot's stopwatch when it answered, ``lag`` what it is not charged.
    ``reject`` is told slot, decision, reason and text; what it raises ends the taking.
    """
    find = player.chairs.get
    closed = refusals = 0
    charged = used = 0.0
    opened = reading
    try:
        for slot, decision, action in zip(slots, decisions, actions, strict=True):
            chair = find(slot)
            if chair is None or chair.open != decision:
                reject(slot, decision, *why_not(chair, decision))
                continue
            if chair.opened != opened:  # those that were handed over together share it
                opened = chair.opened
                used = reading - opened if reading > opened else 0.0
            closed += 1
            charged += used
            refused = chair.live.answer(chair, action, used, lag)
            if refused is not None:
                refusals += 1
                reject(slot, decision, refused, TEXTS[refused])
    finally:
        player.closed(closed, charged)
    return closed - refusals


def why_not(chair: Chair | None, decision: int) -> tuple[str, str]:
    """Return the reason, and the same for people, why an answer to a decision is not taken."""
    if chair is None:
        reason = "UNKNOWN_SLOT"
    elif NEVER < decision <= chair.answered:
        reason = "ALREADY_ANSWERED"
    elif NEVER < decision < chair.table.decision:
        reason = "LATE"
    else:
        reason = "NOT_YOUR_TURN"
    return reason, TEXTS[reason]
