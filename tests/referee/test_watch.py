"""Spectators see what everybody at the table sees, from the start of the deal, and slow nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import grpc
import kibitz
import pytest
from kibitz.imagine import imagine
from kibitz.v1 import watch_pb2, watch_pb2_grpc
from kibitz_referee.table import Table
from kibitz_referee.terms import ClockTerms, Policy
from kibitz_referee.watch import WATCHERS_MAX, Watcher

from tests.referee.parties import BotProcess, Played, RawBot, Referee, reason, set_of, until

SHORT = 100


@contextmanager
def watching(referee: Referee, **request: Any) -> Iterator[Any]:
    with grpc.insecure_channel(f"unix:{referee.control}") as channel:
        stub = watch_pb2_grpc.WatchServiceStub(channel)
        call = stub.Watch(watch_pb2.WatchRequest(interval_ms=SHORT, **request), timeout=60)
        yield call
        call.cancel()


def test_a_late_spectator_gets_the_deal_so_far_and_then_what_follows(referee: Referee) -> None:
    referee.admit("slow", "first")
    request = set_of("german_whist", ("slow", "first"), end="hands:2")
    with RawBot(referee.address, "slow") as bot, BotProcess(referee, "first"):
        call = referee.stub.RunSet(request, timeout=60)
        bot.welcome()
        for _ in range(5):
            bot.answer(bot.turns())
        decision = bot.turns()
        with watching(referee) as stream:
            first = next(stream).tables[0]
            assert (first.set_id, first.match_id, first.deal, first.told) == ("set", "m0", 0, 0)
            assert first.game == "german_whist"
            assert json.loads(first.options_json)["end"] == "hands:2"
            assert list(first.seats) == ["slow", "first"]
            assert first.turn == 0
            bot.answer(decision)
            second = next(stream).tables[0]
            assert second.told == len(first.events)
            assert not second.seats
            bot.play_on()
            told = [first, second, *(table for one in until_over(stream) for table in one.tables)]
        played = Played(call)
    record = played.record("m0")
    for number in {table.deal for table in told}:
        parts = [table for table in told if table.deal == number]
        events = [code for table in parts for code in table.events]
        public = [event.code for event in record.replay(number).public()]
        assert events == public[: len(events)]
    assert told[-1].over


def until_over(stream: Any) -> Iterator[watch_pb2.WatchResponse]:
    for one in stream:
        yield one
        if any(table.over for table in one.tables):
            return


def test_spectators_choose_sets_and_get_no_more_tables_than_they_ask_for(
    referee: Referee,
) -> None:
    referee.admit("slow", "first")
    request = set_of("german_whist", *[("slow", "first")] * 6, end="hands:2")
    with RawBot(referee.address, "slow") as bot, BotProcess(referee, "first"):
        call = referee.stub.RunSet(request, timeout=60)
        bot.welcome()
        while not bot.turns().slots:
            pass
        with watching(referee, max_tables=2) as stream, watching(referee, set_ids=["no"]) as none:
            seen = {table.match_id for table in next(stream).tables}
            assert len(seen) <= 2
            call.cancel()
            none.cancel()
            assert not [*heard(none)]


def test_every_set_is_shown_before_any_has_a_second_table_shown(referee: Referee) -> None:
    referee.admit("slow", "first")
    with RawBot(referee.address, "slow") as bot, BotProcess(referee, "first"):
        calls = []
        for name in ("one", "two"):
            request = set_of("german_whist", *[("first", "slow")] * 3, seed=name, end="hands:2")
            request.set_id = name
            calls.append(referee.stub.RunSet(request, timeout=60))
        bot.welcome()
        waiting = 0
        while waiting < 6:
            waiting += len(bot.turns().slots)
        with watching(referee, max_tables=3) as stream:
            shown = [table.set_id for table in next(stream).tables]
        assert sorted(shown) in (["one", "one", "two"], ["one", "two", "two"])
        for call in calls:
            call.cancel()


def heard(stream: Any) -> Iterator[watch_pb2.WatchResponse]:
    """Yield what came before the call was cancelled."""
    with suppress(grpc.RpcError):
        yield from stream


def test_too_many_spectators_are_turned_away(referee: Referee) -> None:
    with grpc.insecure_channel(f"unix:{referee.control}") as channel:
        stub = watch_pb2_grpc.WatchServiceStub(channel)
        calls: list[Any] = [
            stub.Watch(watch_pb2.WatchRequest(), timeout=30) for _ in range(WATCHERS_MAX + 1)
        ]
        until(lambda: any(call.done() for call in calls))
        refused = next(call for call in calls if call.done())
        assert reason(refused) == "TOO_MANY_WATCHERS"
        for call in calls:
            call.cancel()


def test_bots_cannot_watch(referee: Referee) -> None:
    with grpc.insecure_channel(referee.address) as channel:
        stub = watch_pb2_grpc.WatchServiceStub(channel)
        with pytest.raises(grpc.RpcError) as refused:
            next(stub.Watch(watch_pb2.WatchRequest(), timeout=10))
        assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_spectator_who_does_not_read_holds_nobody_up(referee: Referee) -> None:
    referee.admit("one", "two")
    with (
        watching(referee, max_tables=64) as stream,
        BotProcess(referee, "one"),
        BotProcess(referee, "two"),
    ):
        played = referee.run(set_of("german_whist", *[("one", "two")] * 12, end="hands:2"))
        assert played.finished
        assert next(stream).tables


def watched_bytes(game: kibitz.Game, deck: list[int], actions: list[int]) -> list[bytes]:
    """What a spectator is sent of a deal, look by look."""
    cut = kibitz.cut(game, 0, "cut") if game.needs_cut(0) else None
    names = [f"bot-{seat}" for seat in range(game.seats)]
    table = Table("t", game, names, [(tuple(deck), cut)], ClockTerms(), Policy())
    watcher = spectator(table)
    table.begin()
    sent = []
    for action in [None, *actions]:
        if action is not None:
            table.act(action, 0.0)
        told = watcher.look()
        sent.append(told.SerializeToString(deterministic=True) if told else b"")
    return sent


def spectator(table: Table) -> Watcher:
    """Somebody who looks at a table that no referee plays."""
    run = SimpleNamespace(id="set")
    live = SimpleNamespace(run=run, plan=SimpleNamespace(id="m"), table=table, closed=False)
    run.live = {_Hashed(live): None}
    hall = SimpleNamespace(sets={_Hashed(run): None}, tables=1)
    return Watcher(cast(Any, hall), frozenset(), 8)


class _Hashed:
    """Lets a plain namespace be a key."""

    def __init__(self, inner: SimpleNamespace) -> None:
        self.__dict__ = inner.__dict__


@pytest.mark.parametrize("name", sorted(kibitz.games()))
@pytest.mark.parametrize("seed", range(2))
def test_permuting_hidden_cards_leaves_the_spectators_bytes_the_same(name: str, seed: int) -> None:
    """What one seat cannot know is hidden from spectators all the more, whichever seat it is."""
    game, rng = kibitz.game(name), Random(f"{name}{seed}")
    while True:
        deck = [game.cards.number[code] for code in kibitz.shuffle(game, rng.random().hex())]
        cut = kibitz.cut(game, 0, "cut") if game.needs_cut(0) else None
        deal = game.new_deal(deck, cut=cut)
        steps = rng.randrange(2, 14)
        while deal.turn is not None and len(deal.history) < steps:
            deal.apply(rng.choice(deal.legal()))
        if deal.turn is not None:
            break
    sent = watched_bytes(game, deck, [int(action) for _, action in deal.history])
    assert sent[-1]
    for seat in range(game.seats):
        other = imagine(deal.view(seat), rng)
        assert list(other.deck) != deck
        actions = [int(action) for _, action in other.history]
        assert watched_bytes(game, list(other.deck), actions) == sent
