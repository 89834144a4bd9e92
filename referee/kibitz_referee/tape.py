"""Tapes: what went between a bot and one of its seats, kept for the bot's author.

Only seats for which the worker asked have one. A message about several tables is cut up, and each
tape gets the part of its seat, so that a tape tells nothing of other tables.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from kibitz.v1 import bot_pb2 as wire
from kibitz.v1 import log_pb2

if TYPE_CHECKING:
    from kibitz_referee.chair import Chair
    from kibitz_referee.player import Player

FIRST_BYTES = 64 << 10
"""So much of the beginning is kept in any case."""

LAST_BYTES = 192 << 10
"""So much of the end is kept."""

BRIEF_BYTES = 8 << 10
"""So much of the beginning and of the end of a tape that begins with a failure."""


class Tape:
    """The messages of one seat, at most so many bytes of them: the first and the last."""

    __slots__ = ("_first", "_last", "_left_out", "_most", "_room", "_size")

    def __init__(self, first: int = FIRST_BYTES, last: int = LAST_BYTES) -> None:
        self._first: list[bytes] = []
        self._last: deque[bytes] = deque()
        self._room, self._most = first, last
        self._size = self._left_out = 0

    def add(self, message: log_pb2.LoggedMessage) -> None:
        """Write down a message with the time of day."""
        message.time_us = time.time_ns() // 1000
        data = message.SerializeToString()
        if self._room > 0:
            self._room -= len(data)
            self._first.append(data)
            return
        self._last.append(data)
        self._size += len(data)
        while self._size > self._most:
            self._size -= len(self._last.popleft())
            self._left_out += 1

    def note(self, text: str) -> None:
        """Write down something that is no message."""
        self.add(log_pb2.LoggedMessage(note=text))

    def to_bytes(self) -> bytes:
        """Return all as a ``kibitz.v1.MessageLog`` in its wire form."""
        messages = map(log_pb2.LoggedMessage.FromString, [*self._first, *self._last])
        log = log_pb2.MessageLog(messages=messages, left_out=self._left_out)
        return log.SerializeToString()


def note(player: Player, text: str) -> None:
    """Write down at all seats of a bot that something happened."""
    for chair in player.chairs.values():
        if chair.tape is not None:
            chair.tape.note(text)


def heard(player: Player, response: wire.PlayResponse) -> None:
    """Write down what a bot is sent."""
    turns = response.turns
    parts: dict[int, wire.PlayResponse] = {}

    def part(slot: int) -> wire.Turns | None:
        if slot not in parts and _tape(player, slot) is not None:
            parts[slot] = wire.PlayResponse()
        return parts[slot].turns if slot in parts else None

    for news in turns.news:
        if (own := part(news.slot)) is not None:
            own.news.append(news)
    for reject in turns.rejects:
        if (own := part(reject.slot)) is not None:
            own.rejects.append(reject)
    events = pairwise(accumulate(turns.event_counts, initial=0))
    legal = pairwise(accumulate(turns.legal_counts, initial=0))
    for index, (slot, told, may) in enumerate(zip(turns.slots, events, legal, strict=True)):
        if (own := part(slot)) is not None:
            _add_turn(own, turns, index, slice(*told), slice(*may))
    for slot, own_part in parts.items():
        tape = _tape(player, slot)
        if tape is not None:
            tape.add(log_pb2.LoggedMessage(heard=own_part))


def _add_turn(own: wire.Turns, turns: wire.Turns, index: int, events: slice, legal: slice) -> None:
    own.slots.append(turns.slots[index])
    own.decisions.append(turns.decisions[index])
    own.time_left_ms.append(turns.time_left_ms[index])
    own.events.extend(turns.events[events])
    own.event_counts.append(len(own.events))
    own.legal.extend(turns.legal[legal])
    own.legal_counts.append(len(own.legal))


def said(player: Player, request: wire.PlayRequest, measured_us: int) -> None:
    """Write down what a bot says; messages that concern no seat are passed over.

    ``measured_us`` is how long it was at work since its last answers.
    """
    what = request.WhichOneof("message")
    if what == "actions":
        for slot, own in _parts(request.actions).items():
            _write(player, [slot], wire.PlayRequest(actions=own), measured_us)
    elif what == "failure":
        _write(player, [request.failure.slot], request)
    elif what == "ready":
        for slot in request.ready.slots:
            _write(player, [slot], wire.PlayRequest(ready=wire.Ready(slots=[slot])))
    elif what == "resend":
        _write(player, request.resend.slots or list(player.chairs), request)


def part_of(request: wire.PlayRequest, slot: int) -> wire.PlayRequest:
    """Return what a message says of one seat."""
    if request.WhichOneof("message") != "actions":
        return request
    return wire.PlayRequest(actions=_parts(request.actions).get(slot))


def _parts(actions: wire.Actions) -> dict[int, wire.Actions]:
    """Return by slot what Actions says of each seat."""
    parts: dict[int, wire.Actions] = {}
    places: list[int] = []
    took = actions.took_us if actions.HasField("took_us") else None
    # Not strict: a message whose fields do not fit is refused, but its author should see it.
    answers = zip(actions.slots, actions.decisions, actions.actions, strict=False)
    for slot, decision, action in answers:
        own = parts.setdefault(slot, wire.Actions(took_us=took))
        places.append(len(own.slots))
        own.slots.append(slot)
        own.decisions.append(decision)
        own.actions.append(action)
    for remark in actions.remarks:
        if remark.answer < len(places):
            own = parts[actions.slots[remark.answer]]
            own.remarks.add().CopyFrom(remark)
            own.remarks[-1].answer = places[remark.answer]
    return parts


def _write(
    player: Player,
    slots: Iterable[int],
    request: wire.PlayRequest,
    measured_us: int | None = None,
) -> None:
    for slot in slots:
        tape = _tape(player, slot)
        if tape is not None:
            tape.add(log_pb2.LoggedMessage(said=request, measured_us=measured_us))


def _tape(player: Player, slot: int) -> Tape | None:
    chair: Chair | None = player.chairs.get(slot)
    return None if chair is None else chair.tape
