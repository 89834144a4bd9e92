"""How much of a game's scores is luck, measured on the shipped bots.

`python -m bench.luck [GAME ...] [--seconds N]` plays duplicate sets of each game for N seconds of
CPU and writes what it finds into the file that the dashboard's pages of games show. The decks are
the same every time; how many of them are played depends on the machine.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import combinations, cycle
from pathlib import Path
from time import process_time
from typing import Any

import kibitz
from kibitz.bots.careful import Careful
from kibitz.bots.chance import Random
from kibitz.bots.search import Search
from kibitz.contest import Contest
from kibitz_worker.ratings.insights import luck_of
from kibitz_worker.ratings.luck import Board, boards_of, position_bias
from kibitz_worker.ratings.tally import Tally
from kibitz_worker.work.ledger import ledger_of

FILE = Path(__file__).parents[1] / "api" / "kibitz_api" / "games" / "luck.json"
PLAYOUTS = 12
"""The playouts of `search` for a card: a fifth of its usual number, for the sake of time."""

BOTS = ("search", "careful", "random")


def bot(name: str) -> kibitz.Bot:
    """A shipped bot; of two of one name in a table the second has a number."""
    kinds = {"search": lambda: Search(playouts=PLAYOUTS), "careful": Careful, "random": Random}
    return kinds[name.split(maxsplit=1)[0]]()


def tables(players: int) -> list[tuple[str, ...]]:
    """Who plays: all pairs of two, one table of three or four."""
    if players <= len(BOTS):
        return list(combinations(BOTS, players))
    return [(*BOTS, "careful 2")]


def sets(game: kibitz.Game) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Sets of the game without end, its tables by turns."""
    contests = [
        (table, Contest(game, [bot(name) for name in table], seed="luck"))
        for table in tables(game.players)
    ]
    for number, (table, contest) in enumerate(cycle(contests)):
        yield table, contest.play(number)


def measured(name: str, seconds: float) -> dict[str, Any]:
    """Play a game for so long and tell its luck, its positions and its roles."""
    game = kibitz.game(name)
    boards: list[Board] = []
    tally = Tally()
    until, count, deals = process_time() + seconds, 0, 0
    for table, played in sets(game):
        seated = list(zip(kibitz.seatings(game), played.records, strict=True))
        matches = []
        for seating, record in seated:
            seats = [table[player] for player in seating.order]
            matches.append((f"{count}:{seating.half}", {"seats": seats, "deals": record.deals}))
        boards += boards_of(matches)[0]
        tally.add_set(table, lanes(seated))
        count, deals = count + 1, deals + sum(len(record.deals) for _, record in seated)
        if process_time() > until and count >= len(tables(game.players)):
            break
    return {
        "bots": list(BOTS),
        "sets": count,
        "deals": deals,
        "luck": luck_of(boards),
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
        known[name] = measured(name, asked.seconds)
        FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        luck = known[name]["luck"]
        print(f"{name}: {luck['luck']:.1%} luck, rho {luck['rho']:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
