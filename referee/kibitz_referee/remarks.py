"""What bots say of their answers.

It is checked before the answers are taken, as only then it is known what was legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from kibitz.remark import PolicyError, Remark, checked_policy, clean
from kibitz.v1 import bot_pb2 as wire

from kibitz_referee.chair import Chair


class Refused(NamedTuple):
    """A remark that is not taken, at a chair whose answer may well be."""

    chair: Chair
    decision: int
    reason: str
    text: str


def keep_remarks(message: wire.Actions, chairs: dict[int, Chair]) -> list[Refused]:
    """Give the tables what is said of the answers in a message; return what is refused.

    Remarks on answers that will not be taken, and second remarks on an answer, are passed over.
    """
    remarks = {one.answer: one for one in reversed(message.remarks)}
    refused: list[Refused] = []
    for place, slot, decision in _first_answers(message, remarks):
        chair = chairs.get(slot)
        action = message.actions[place]
        if chair is not None and chair.open == decision and action in chair.table.legal:
            refused += _keep(chair, action, remarks[place])
    return refused


def _first_answers(
    message: wire.Actions, places: Collection[int]
) -> Iterator[tuple[int, int, int]]:
    """Yield those answers (place, slot, decision) that are the first to their decision."""
    seen: set[tuple[int, int]] = set()
    for place, answer in enumerate(zip(message.slots, message.decisions, strict=True)):
        if place in places and answer not in seen:
            yield place, *answer
        seen.add(answer)


def _keep(chair: Chair, action: int, said: wire.Remark) -> list[Refused]:
    legal: Sequence[int] = chair.table.legal
    policy: tuple[float, ...] = ()
    refused: list[Refused] = []
    try:
        if said.policy:
            policy = checked_policy(said.policy, len(legal), legal.index(action))
    except PolicyError as error:
        refused.append(Refused(chair, chair.open, error.reason, f"the action stands; {error}"))
    remark = Remark(clean(said.comment), policy)
    if (remark.comment or policy) and not chair.table.remark(remark):
        text = "the action stands; this seat has said all that fits into a record"
        refused.append(Refused(chair, chair.open, "TOO_MANY_COMMENTS", text))
    return refused
