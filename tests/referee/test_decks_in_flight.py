"""However sets come and from however many workers, no bot meets a deck at two tables at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest
from kibitz.v1 import referee_pb2
from kibitz_referee.control import RefereeService
from kibitz_referee.hall import Hall

from tests.referee.desk import Desk, in_loop
from tests.referee.parties import PATIENT, set_of

BOTS = ("a", "b", "c", "d", "e")


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


def met_twice(hall: Hall) -> list[tuple[str, int]]:
    """List bots that sit at two tables with one deck."""
    found = []
    for player in hall.players.values():
        decks: Counter[int] = Counter()
        for live in {chair.live for chair in player.chairs.values()}:
            decks.update(live.plan.deck_hashes)
        found += [(player.label, deck) for deck, tables in decks.items() if tables > 1]
    return found


@pytest.mark.parametrize("seed", range(3))
@in_loop
async def test_no_deck_is_in_flight_at_two_tables_of_a_bot(seed: int) -> None:
    rng = Random(seed)
    desk = Desk()
    guests = [desk.bot(name) for name in BOTS]
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
            assert met_twice(desk.hall) == []
            most = max(most, desk.hall.tables)
    assert finished == 16
    assert most > 2
    assert not any(player.decks for player in desk.hall.players.values())
