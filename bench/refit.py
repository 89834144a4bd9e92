"""How long the ratings take to be made anew from the database: `python -m bench.refit [SETS]`.

Writes a database of SQLite with a tournament of so many sets (a million unless told otherwise), 500
bots, two matches a set with the ledgers of eight deals, and times the first refit, which reads
everything, and the next one after a restart, which reads what is kept of the ledgers. Prints
seconds of CPU, the peak of memory in MB, and what share was the fit itself.
"""

import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from random import Random
from time import process_time

import redis
from kibitz_worker.live import Live
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import submit_version
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    MatchState,
    Pairing,
    SetState,
    VersionState,
)
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy import delete, insert, select

BOTS = 500
ROWS = 20_000


def main(sets: int, bots: int = BOTS) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder)) as store:
        write(store, sets, bots)
        first, again = refit(store), refit(store)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        told = {"sets": sets, "first_s": first, "again_s": again, "peak_mb": peak}
        print(json.dumps(told))


def refit(store: Store) -> float:
    """Make the ratings as a process that has just started; return its seconds of CPU."""
    began = process_time()
    nobody = Live(redis.Redis.from_url("unix:///nonexistent/redis.sock"))
    Refit(store, nobody).refresh(final=None)
    return process_time() - began


def write(store: Store, sets: int, bots: int) -> None:
    """Fill the store with sets that were played by nobody."""
    key, random = enter(store, bots), Random(1)
    pairs = list(combinations(range(bots), 2))
    random.shuffle(pairs)
    pairs = pairs[: max(1, sets // 8)]
    with store.write() as session:
        rows = [
            {"tournament_id": key, "round": 0, "number": n, "entrants": list(pair)}
            for n, pair in enumerate(pairs)
        ]
        session.execute(insert(Pairing), rows)
    with store.read() as session:
        ids = list(session.scalars(select(Pairing.id).order_by(Pairing.number)))
    for start in range(0, sets, ROWS):
        numbers = range(start, min(sets, start + ROWS))
        with store.write() as session:
            session.execute(insert(DealSet), [*_sets(key, numbers, ids, pairs, random)])
            session.execute(insert(Match), [*_matches(key, numbers, random)])


def enter(store: Store, bots: int) -> str:
    """Add bots and a tournament of theirs without tables; return its id."""
    with store.write() as session:
        owner = create_user(session, "ana")
        versions = []
        for n in range(bots):
            content, games = f"{n:064x}", ["german_whist"]
            version, _ = submit_version(
                session, owner, f"b{n}", content_hash=content, path=f"v/{n}", games=games
            )
            version.state = VersionState.ADMITTED
            versions.append(version)
        options = {"end": "hands:8"}
        made = create_tournament(session, owner, "german_whist", versions[:2], options=options)
        for number, version in enumerate(versions[2:], 2):
            session.add(Entrant(tournament_id=made.id, number=number, version_id=version.id))
        session.execute(delete(DealSet))
        session.execute(delete(Pairing))
        return made.id


LEDGERS = [
    [{"dealer": (n + deal) % 2, "scores": [float(deal - n), float(n - deal)]} for deal in range(8)]
    for n in range(9)
]


def _sets(
    key: str, numbers: range, ids: list[int], pairs: list[tuple[int, int]], random: Random
) -> Iterator[dict[str, object]]:
    began = datetime(2026, 1, 1, tzinfo=UTC)
    for n in numbers:
        one, two = pairs[n % len(pairs)]
        lead = round(random.gauss((one - two) / 50.0, 6.0))
        yield {
            "id": f"{key}-{n}",
            "tournament_id": key,
            "pairing_id": ids[n % len(ids)],
            "number": n,
            "state": SetState.DONE,
            "attempts": 1,
            "scores": [lead / 2.0, -lead / 2.0],
            "margins": [lead / 2.0, -lead / 2.0],
            "deals": 16,
            "finished": began + timedelta(seconds=n),
        }


def _matches(key: str, numbers: range, random: Random) -> Iterator[dict[str, object]]:
    nothing: list[object] = []
    for n in numbers:
        for lane in range(2):
            yield {
                "id": f"{key}-{n}-{lane}",
                "set_id": f"{key}-{n}",
                "tournament_id": key,
                "number": lane,
                "half": 0,
                "lane": lane,
                "seating": [lane, 1 - lane],
                "state": MatchState.DONE,
                "decks": nothing,
                "deals": 8,
                "ledger": LEDGERS[random.randrange(len(LEDGERS))],
            }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
