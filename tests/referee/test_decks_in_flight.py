"""However sets come and from however many workers, no deck is at two tables of a bot or owner."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from random import Random

import pytest
from kibitz.v1 import referee_pb2
from kibitz_referee.control import RefereeService
from kibitz_referee.hall import Hall
from kibitz_referee.live import LiveMatch

from tests.referee.desk import Desk, in_loop, play_on
from tests.referee.parties import PATIENT, set_of

BOTS = ("a", "b", "c", "d", "e")
OWNERS = {"a": "ana", "b": "ana", "c": "ben", "d": "ben"}


def some_set(rng: Random, number: int) -> referee_pb2.RunSetRequest:
    """A set of two bots, of decks that others may be playing by that name or card by card."""
    one, other = rng.sample(BOTS, 2)
    seatings = [(one, other), (other, one)] * rng.randrange(1, 3)
    request = set_of(
        "german_whist",
        *seatings,
        seed=str(rng.randrange(3)),
        same_decks=rng.random() < 0.5,
        clock=PATIENT,
        end="hands:2",
    )
    request.set_id = f"set{number}"
    for match in request.matches:
        if rng.random() < 0.5:
            match.decks_name = f"decks{rng.randrange(3)}"
    return request


def met_twice(hall: Hall, owners: Mapping[str, str]) -> list[tuple[str, int]]:
    """List bots and owners that have two tables with one deck."""
    tables: defaultdict[str, set[LiveMatch]] = defaultdict(set)
    for player in hall.players.values():
        who = owners.get(player.label, player.label)
        tables[who].update(chair.live for chair in player.chairs.values())
    found = []
    for who, lives in tables.items():
        decks = Counter(deck for live in lives for deck in live.plan.deck_hashes)
        found += [(who, deck) for deck, count in decks.items() if count > 1]
    return found


@pytest.mark.parametrize("owners", [{}, OWNERS], ids=["strangers", "owners"])
@pytest.mark.parametrize("seed", range(3))
@in_loop
async def test_no_deck_is_in_flight_at_two_tables_of_a_bot_or_owner(
    owners: Mapping[str, str], seed: int
) -> None:
    rng = Random(seed)
    desk = Desk()
    guests = [desk.bot(name, owner=owners.get(name, "")) for name in BOTS]
    service = RefereeService(desk.hall)
    most = finished = 0

    async def worker(first: int) -> None:
        nonlocal finished
        for number in range(4):
            events = service.RunSet(some_set(rng, 10 * first + number), None)  # type: ignore[arg-type]
            last = [event async for event in events][-1]
            finished += last.HasField("set_finished")

    workers = [asyncio.ensure_future(worker(number)) for number in range(4)]
    async with asyncio.timeout(60):
        while not all(one.done() for one in workers):
            for guest in rng.sample(guests, len(guests)):
                guest.answer(guest.hear())
            await desk.settle()
            assert met_twice(desk.hall, owners) == []
            most = max(most, desk.hall.tables)
    assert finished == 16
    assert most > 2
    assert not any(player.owner.decks for player in desk.hall.players.values())


def twins(*seatings: tuple[str, str]) -> list[referee_pb2.RunSetRequest]:
    """A set for each seating; all have the same decks in other suits, as their names tell."""
    sets = []
    for number, seating in enumerate(seatings):
        request = set_of("german_whist", seating, seed=str(number), clock=PATIENT, end="hands:2")
        request.matches[0].decks_name = "the same"
        request.set_id = f"twin{number}"
        sets.append(request)
    return sets


@in_loop
async def test_twin_sets_of_bots_of_one_owner_come_one_after_the_other() -> None:
    desk = Desk()
    guests = [desk.bot(name, owner=OWNERS.get(name, "")) for name in BOTS]
    for request in twins(("a", "e"), ("b", "c")):
        await desk.seat(request)
    assert [len(run.live) for run in desk.hall.sets] == [1, 0]
    await play_on(desk, *guests)
    assert [event.HasField("set_finished") for event in await desk.result()][-1]


@in_loop
async def test_bots_of_one_owner_meet_at_one_table_and_strangers_play_beside_them() -> None:
    desk = Desk()
    for name in BOTS:
        desk.bot(name, owner=OWNERS.get(name, ""))
    for request in twins(("a", "b"), ("c", "d"), ("b", "e")):
        await desk.seat(request)
    assert [len(run.live) for run in desk.hall.sets] == [1, 1, 0]


@in_loop
async def test_a_match_is_played_when_the_table_that_held_it_up_is_broken_off() -> None:
    desk = Desk()
    guests = [desk.bot(name, owner=OWNERS.get(name, "")) for name in BOTS]
    first, second = [await desk.seat(request) for request in twins(("a", "e"), ("b", "c"))]
    assert (len(first.live), len(second.live)) == (1, 0)
    desk.hall.dismiss(guests[0].player.token)
    await desk.settle()
    assert (first.over, len(second.live)) == (True, 1)


@in_loop
async def test_a_bot_that_gets_another_owner_counts_for_both_until_its_tables_are_over() -> None:
    desk = Desk()
    guests = [desk.bot(name) for name in BOTS]
    token = guests[0].player.token
    runs = [await desk.seat(request) for request in twins(("a", "b"))]
    desk.hall.admit(token, "a", 0, "eve")
    for name, owner in (("c", "eve"), ("d", "eve")):
        desk.hall.admit(desk.guests[name].player.token, name, 0, owner)
    runs += [await desk.seat(request) for request in twins(("c", "e"), ("d", "e"))]
    assert [len(run.live) for run in runs] == [1, 0, 0]
    await play_on(desk, *guests)
    assert not any(guest.player.owner.decks for guest in guests)
