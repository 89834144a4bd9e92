"""How much of a game's scores is luck, measured on the shipped bots.

`python -m bench.luck [GAME ...] [--seconds N]` plays duplicate sets of each game for N seconds of
CPU and writes what it finds into the file that the dashboard's pages of games show. The decks are
the same every time; how many of them are played depends on the machine.

A share of luck belongs to a field of bots. Two fields are measured: all three shipped bots, which
are far apart, and `search` with several numbers of playouts, which are much alike.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import combinations, cycle
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import Any

import kibitz
from kibitz.bots.careful import Careful
from kibitz.bots.chance import Random
from kibitz.bots.search import Search
from kibitz.contest import Contest
from kibitz_worker.ratings.insights import luck_of
from kibitz_worker.ratings.luck import Board, boards_of, find_components, position_bias
from kibitz_worker.ratings.strength import NORMAL_95
from kibitz_worker.ratings.tally import Tally
from kibitz_worker.work.ledger import ledger_of

FILE = Path(__file__).parents[1] / "api" / "kibitz_api" / "games" / "luck.json"
FIELDS = {
    "mixed": ("search 12", "careful", "random"),
    "alike": ("search 12", "search 6", "search 3"),
}
"""The number after `search` is that of its playouts for a card, few for the sake of time."""


def bot(name: str) -> kibitz.Bot:
    """A shipped bot; of two of one name in a table the second has a number."""
    kind, _, number = name.partition(" ")
    if kind == "search":
        return Search(playouts=int(number))
    return {"careful": Careful, "random": Random}[kind]()


def tables(bots: tuple[str, ...], players: int) -> list[tuple[str, ...]]:
    """Who plays: all pairs of two, one table of three or four."""
    if players <= len(bots):
        return list(combinations(bots, players))
    return [(*bots, "careful 2")]


def sets(game: kibitz.Game, bots: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Sets of the game without end, its tables by turns."""
    contests = [
        (table, Contest(game, [bot(name) for name in table], seed="luck"))
        for table in tables(bots, game.players)
    ]
    for number, (table, contest) in enumerate(cycle(contests)):
        yield table, contest.play(number)


def pairs_of(boards: list[Board]) -> list[dict[str, Any]]:
    """For each two bots that met: points a deal between them, and deals that tell them apart."""
    leads: dict[tuple[str, str], list[float]] = {}
    for board in boards:
        means = {
            p: sum(row) / len(row) for p, row in zip(board.players, board.margins, strict=True)
        }
        for one, two in combinations(sorted(means), 2):
            leads.setdefault((one, two), []).append(means[one] - means[two])
    luck = find_components(boards)
    found = []
    for (one, two), values in sorted(leads.items()):
        lead = mean(values)
        error = stdev(values) / len(values) ** 0.5
        told = lead != 0.0 and abs(lead) > NORMAL_95 * error
        deals = luck.deals_needed(lead) if told else None
        found.append({"one": one, "two": two, "lead": lead, "error": error, "deals": deals})
    return found


def measured(name: str, bots: tuple[str, ...], seconds: float) -> dict[str, Any]:
    """Play a game for so long and tell its luck, its positions and its roles."""
    game = kibitz.game(name)
    boards: list[Board] = []
    tally = Tally()
    until, count, deals = process_time() + seconds, 0, 0
    for table, played in sets(game, bots):
        seated = list(zip(kibitz.seatings(game), played.records, strict=True))
        matches = []
        for seating, record in seated:
            seats = [table[player] for player in seating.order]
            matches.append((f"{count}:{seating.half}", {"seats": seats, "deals": record.deals}))
        boards += boards_of(matches)[0]
        tally.add_sets([(table, list(lanes(seated)))])
        count, deals = count + 1, deals + sum(len(record.deals) for _, record in seated)
        if process_time() > until and count >= len(tables(bots, game.players)):
            break
    return {
        "bots": list(bots),
        "sets": count,
        "deals": deals,
        "luck": luck_of(boards),
        "pairs": pairs_of(boards),
        "positions": [
            {"name": str(p.position), "margin": p.margin, "low": p.low, "high": p.high}
            for p in position_bias(boards)
        ],
        "roles": [
            {"name": row.name, "deals": row.deals, "won": row.won, "margin": row.margin}
            for row in tally.rows()
            if not row.player and row.kind == "role"
        ],
    }


def lanes(seated: list[tuple[Any, Any]]) -> Iterator[tuple[tuple[int, ...], list[dict[str, Any]]]]:
    """Seatings with what each deal tells."""
    for seating, record in seated:
        yield seating.order, [dict(entry) for entry in ledger_of(record.verify())]


def main() -> None:
    """Measure the games asked for, all unless named, and keep what is known of the others."""
    parser = argparse.ArgumentParser(prog="python -m bench.luck", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games unless named")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU time a game (60)")
    asked = parser.parse_args()
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in asked.games or kibitz.games():
        known[name] = {
            field: measured(name, bots, asked.seconds / len(FIELDS))
            for field, bots in FIELDS.items()
        }
        FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        for field, found in known[name].items():
            luck = found["luck"]
            told = f"{name}, {field}: {luck['luck']:.1%} luck, rho {luck['rho']:.2f}"
            print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
