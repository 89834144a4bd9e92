"""A referee with a full house: many bots, thousands of tables at once, all games mixed."""

from __future__ import annotations

import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from random import Random

import kibitz
from kibitz.v1 import referee_pb2 as wire
from kibitz.v1 import table_pb2

from bench.referee_process import RefereeProcess

CLOCK = table_pb2.Clock(
    bank_ms=600_000, cap_ms=120_000, ready_ms=600_000, tolerance_ms=50, increment_ms=1_000
)
"""Enough on a machine on which everything stands still now and then."""

LOOK_S = 0.25

FULL = 12
"""Deals of a match of Three-handed Whist."""


@dataclass
class House:
    """What a referee was like with everybody there; memory in bytes."""

    tables: int = 0
    memory: int = 0
    failures: int = 0
    matches: int = 0


def full_house(*, quick: bool) -> dict[str, object]:
    """Return the figures; ``bench/README.md`` says what the keys mean."""
    bots, tables, rounds = (20, 210, 2) if quick else (200, 5_000, 3)
    with RefereeProcess("--max-tables", str(tables)) as referee:
        referee.start_crowd(bots, processes=2)
        requests = [_request(referee, game, tables) for game in _games()]
        empty = referee.memory()
        before = referee.load()
        houses = [_play(referee, requests) for _ in range(rounds)]
        after = referee.load()
    decisions = after.decisions - before.decisions
    most = max(houses, key=lambda house: house.tables)
    return {
        "house": {
            "bots": bots,
            "tables": most.tables,
            "matches": sum(house.matches for house in houses),
            "failures": sum(house.failures for house in houses),
            "cpu_us_per_decision": round((after.cpu_ms - before.cpu_ms) * 1000 / decisions, 2),
            "memory_growth": round(houses[-1].memory / houses[0].memory, 3),
        },
        "lag_p99_ms": round(after.lag_p99_ms, 2),
        "bytes_per_table": (most.memory - empty) // most.tables,
    }


def _games() -> list[kibitz.Game]:
    games = []
    for name in kibitz.games():
        game = kibitz.game(name)
        ends = {"german_whist": "hands:2", "three_handed_whist": "full"}
        games.append(kibitz.game(name, end=ends.get(name, f"deals:{game.seats}")))
    return games


def _request(referee: RefereeProcess, game: kibitz.Game, tables: int) -> wire.RunSetRequest:
    rng = Random(game.name)
    deals = game.goal[1] or FULL
    count = tables // len(kibitz.games())
    matches = []
    for table in range(count):
        seats = rng.sample(referee.tokens, game.seats)
        decks = []
        for deal in range(deals):
            cut = kibitz.cut(game, deal, f"{table}.{deal}") if game.needs_cut(deal) else None
            decks.append(wire.Deck(cards=kibitz.shuffle(game, f"{table}.{deal}"), cut=cut))
        chairs = [wire.Chair(token_sha256=token, name=token[:6]) for token in seats]
        matches.append(wire.Match(match_id=str(table), seats=chairs, decks=decks))
    return wire.RunSetRequest(
        set_id=game.name,
        game=game.name,
        options_json=json.dumps(game.options()),
        clock=CLOCK,
        matches=matches,
    )


def _play(referee: RefereeProcess, requests: list[wire.RunSetRequest]) -> House:
    house = House()
    with ThreadPoolExecutor(len(requests)) as pool:
        played: list[Future[tuple[int, int]]] = [
            pool.submit(referee.results, request) for request in requests
        ]
        while not all(one.done() for one in played):
            load, memory = referee.load(), referee.memory()
            house.tables = max(house.tables, load.tables)
            house.memory = max(house.memory, memory)
            time.sleep(LOOK_S)
    for one in played:
        matches, failures = one.result()
        house.matches += matches
        house.failures += failures
    return house
