"""The seats that a bot holds at a referee: what it has been told, as views."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from kibitz.bot import BotRunner, Decided
from kibitz.client.errors import NonsenseError
from kibitz.errors import BotError, EventsError, KibitzError
from kibitz.events import EVENTS, Event
from kibitz.faults import whole
from kibitz.game import Game
from kibitz.games import game as get_game
from kibitz.match import whole as points
from kibitz.remark import Choice, clean
from kibitz.v1 import bot_pb2 as wire
from kibitz.view import View

DETAIL_LENGTH = 8_000
"""How much of a traceback the referee is told: its last characters."""

CHUNK_S = 0.02
"""Answers that took longer than this together are not kept back for the rest of their batch."""

MOST_US = 2**32 - 1
"""The longest time that answers can say they took: 71 minutes."""

_EVENT = EVENTS.__getitem__

_ODD = (KibitzError, LookupError, ValueError, TypeError, RecursionError)
"""What comes of taking in what makes no sense."""

log = logging.getLogger("kibitz.client")


@dataclass(slots=True)
class Seat:
    """A seat at a table, and the deal under way there."""

    table: str
    game: Game
    number: int
    deal: int = -1
    dealer: int = 0
    totals: tuple[float, ...] = ()
    points: tuple[int, ...] = ()
    view: View | None = None
    started: bool = False

    def see(
        self,
        events: Sequence[Event],
        legal: Sequence[int] = (),
        scores: tuple[float, ...] | None = None,
    ) -> View:
        """Return what the seat knows after some more events."""
        view = self.view
        if view is None:
            view = View.from_events(
                self.game,
                self.number,
                self.dealer,
                self.deal,
                events,
                legal,
                self.totals,
                self.table,
                scores,
                self.points,
            )
        else:
            view = view.then(events, legal, scores)
        self.view = view
        return view


class Seats:
    """All seats of a bot; turns come in, answers go out."""

    def __init__(self, runner: BotRunner) -> None:
        self._runner = runner
        self._seats: dict[int, Seat] = {}
        self._chunk = 8

    def __len__(self) -> int:
        return len(self._seats)

    def keep(self, slots: Collection[int]) -> None:
        """Forget all seats but some: those that the referee still knows of."""
        for slot in [slot for slot in self._seats if slot not in slots]:
            self._leave(slot)

    def answer(self, turns: wire.Turns) -> Iterator[wire.PlayRequest]:
        """Take the referee's news and turns, ask the bot, and yield what to send back.

        Raises:
            NonsenseError: they do not fit together, or not what was told before.
        """
        begun = time.perf_counter()
        ready = wire.Ready()
        for news in turns.news:
            with _understood("news of a table"):
                failure = self._take_news(news, ready)
            if failure is not None:
                yield failure
        if ready.slots:
            yield wire.PlayRequest(ready=ready)
        for reject in turns.rejects:
            log.warning(
                "answer not taken: slot %d, decision %d: %s (%s)",
                reject.slot,
                reject.decision,
                clean(reject.message),
                clean(reject.reason),
            )
        if turns.slots:
            yield from self._decide(turns, begun)

    # News.

    def _take_news(self, news: wire.News, ready: wire.Ready) -> wire.PlayRequest | None:
        what = news.WhichOneof("news")
        slot = news.slot
        if what == "table_start":
            try:
                self._sit_down(slot, news.table_start)
            except _ODD as error:
                return _failure(slot, "CRASH", f"the table cannot be joined: {error}")
            ready.slots.append(slot)
        elif slot not in self._seats:
            log.debug("news of unknown slot %d: %s", slot, what)
        elif what == "deal_start":
            self._deal_start(self._seats[slot], news.deal_start)
        elif what == "deal_end":
            self._deal_end(self._seats[slot], news.deal_end)
        elif what == "table_end":
            self._leave(slot)
        return None

    def _sit_down(self, slot: int, start: wire.TableStart) -> None:
        if slot not in self._seats:
            game = _game(start.game, start.options_json)
            if start.seat >= game.seats:
                raise NonsenseError(f"{game.name} has no seat {start.seat}")
            self._seats[slot] = Seat(start.table, game, start.seat)

    def _deal_start(self, seat: Seat, start: wire.DealStart) -> None:
        if seat.deal != start.number:
            seat.started = False
        if start.dealer >= seat.game.seats or len(start.totals) != seat.game.seats:
            text = f"a deal of seat {start.dealer} with {len(start.totals)} totals"
            raise NonsenseError(f"{text}, in a game of {seat.game.seats}")
        seat.deal, seat.dealer = start.number, start.dealer
        seat.totals, seat.points = tuple(points(start.totals)), tuple(start.points)
        seat.view = None

    def _deal_end(self, seat: Seat, end: wire.DealEnd) -> None:
        if end.number != seat.deal:
            return
        view = seat.see([*map(_EVENT, end.events)], (), tuple(points(end.scores)))
        if seat.started:
            fault = self._runner.end(view)
            if fault is not None:
                log.warning("%s\n%s", fault, fault.traceback)
        if end.HasField("forfeit") and end.forfeit.seat == seat.number:
            forfeit = end.forfeit
            said = clean(f"{forfeit.reason} {forfeit.detail}")
            log.warning("deal %d forfeited: %s", end.number, said)
        seat.deal, seat.view = -1, None

    def _leave(self, slot: int) -> None:
        seat = self._seats.pop(slot)
        self._runner.leave(seat.table, seat.number)

    # Turns.

    def _decide(self, turns: wire.Turns, since: float) -> Iterator[wire.PlayRequest]:
        with _understood("turns"):
            slots, decisions, views = self._views(turns)
        at = 0
        while at < len(views):
            size = len(views) if self._runner.batches else self._chunk
            end = at + size
            begun = time.perf_counter()
            try:
                answers = self._runner.decide(views[at:end])
            except EventsError as error:
                raise NonsenseError(f"turns that cannot be: {error}") from error
            ended = time.perf_counter()
            took = ended - begun
            told = min(MOST_US, int((ended - since) * 1e6))
            since = ended
            yield from _answers(slots[at:end], decisions[at:end], answers, told)
            if took > CHUNK_S:
                self._chunk = max(1, self._chunk // 2)
            elif took < CHUNK_S / 2:
                self._chunk = min(256, self._chunk * 2)
            at = end

    def _views(self, turns: wire.Turns) -> tuple[list[int], list[int], list[View]]:
        _check_turns(turns)
        events = [*map(_EVENT, turns.events)]
        legal = list(turns.legal)
        slots, decisions, views = [], [], []
        at = start = 0
        for slot, decision, count, choices in zip(
            turns.slots, turns.decisions, turns.event_counts, turns.legal_counts, strict=True
        ):
            at, first = at + count, at
            start, begin = start + choices, start
            seat = self._seats.get(slot)
            if seat is None:
                continue
            if seat.deal < 0:
                raise NonsenseError("a turn in no deal")
            view = seat.see(events[first:at], legal[begin:start])
            if not seat.started:
                seat.started = True
                self._runner.start(view)
            slots.append(slot)
            decisions.append(decision)
            views.append(view)
        return slots, decisions, views


@contextmanager
def _understood(what: str) -> Iterator[None]:
    """Say of what is not understood what it is."""
    try:
        yield
    except NonsenseError:
        raise
    except _ODD as error:
        raise NonsenseError(f"{what} that cannot be: {type(error).__name__}: {error}") from error


def _check_turns(turns: wire.Turns) -> None:
    counts = {len(turns.slots), len(turns.decisions), len(turns.event_counts)}
    if counts != {len(turns.legal_counts)}:
        raise NonsenseError("turns whose fields are not of one length")
    if sum(turns.event_counts) != len(turns.events):
        raise NonsenseError(
            f"{len(turns.events)} events, where turns own {sum(turns.event_counts)}"
        )
    if sum(turns.legal_counts) != len(turns.legal) or 0 in turns.legal_counts:
        raise NonsenseError(f"{len(turns.legal)} actions for turns of {[*turns.legal_counts][:20]}")


def _answers(
    slots: Sequence[int], decisions: Sequence[int], answers: Sequence[Decided], took_us: int
) -> Iterator[wire.PlayRequest]:
    plain = [answer for answer in answers if isinstance(answer, int)]
    if len(plain) == len(answers):
        actions = wire.Actions(slots=slots, decisions=decisions, actions=plain, took_us=took_us)
        yield wire.PlayRequest(actions=actions)
        return
    sound = wire.PlayRequest()
    for slot, decision, answer in zip(slots, decisions, answers, strict=True):
        if isinstance(answer, BotError):
            log.warning("%s\n%s", answer, answer.traceback)
            reason = "ILLEGAL_ACTION" if answer.reason == "ILLEGAL_ACTION" else "CRASH"
            detail = answer.traceback or f"{answer} ({answer.where})"
            yield _failure(slot, reason, detail, decision)
        else:
            _add(sound.actions, slot, decision, answer)
    if sound.HasField("actions"):
        sound.actions.took_us = took_us
        yield sound


def _add(actions: wire.Actions, slot: int, decision: int, answer: int | Choice) -> None:
    if isinstance(answer, Choice):
        said, place = answer.remark, len(actions.slots)
        actions.remarks.add(answer=place, comment=said.comment, policy=said.policy)
        answer = answer.number
    actions.slots.append(slot)
    actions.decisions.append(decision)
    actions.actions.append(answer)


def _failure(slot: int, reason: str, detail: str, decision: int | None = None) -> wire.PlayRequest:
    last = whole(detail[-DETAIL_LENGTH:])
    failure = wire.Failure(slot=slot, reason=reason, detail=last, decision=decision)
    return wire.PlayRequest(failure=failure)


_GAMES: dict[tuple[str, str], Game] = {}


def _game(name: str, options_json: str) -> Game:
    found = _GAMES.get((name, options_json))
    if found is None:
        found = _GAMES[name, options_json] = get_game(name, **json.loads(options_json))
    return found
