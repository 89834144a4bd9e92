"""How fast the rules are: random play, copies and imagined deals, beside OpenSpiel's bridge.

Also runs by itself: `python -m bench.rules [--json] [--quick]`.
"""

import argparse
import json
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from statistics import median
from time import process_time

import kibitz
from kibitz import testing
from kibitz.build import BUILD
from numpy import array, tile, uint8
from numpy.random import default_rng

from bench import rules_peers as peers

BRIDGE, TEXTARENA = "OpenSpiel bridge", "TextArena German Whist"


def measure(*, quick: bool) -> dict[str, object]:
    """Measure all games; the keys are documented in bench/README.md."""
    rounds, deals = (3, 30) if quick else (9, 200)
    games = {name: kibitz.game(name) for name in kibitz.games()}
    runs: dict[str, Callable[[], float] | None] = {
        name: partial(playing, game, deals) for name, game in games.items()
    }
    runs[BRIDGE] = peers.openspiel_bridge(deals)
    runs[TEXTARENA] = peers.textarena_german_whist(max(5, deals // 10))
    speeds = in_turn(rounds, runs)
    imagined = {name: imagining(game, 5 if quick else 30) for name, game in games.items()}
    ottocento = median(speeds["ottocento"])
    return {
        "build": BUILD,
        "decisions_per_cpu_s": {name: round(median(speeds[name])) for name in games},
        "openspiel_bridge_decisions_per_cpu_s": rounded(speeds[BRIDGE]),
        "textarena_german_whist_decisions_per_cpu_s": rounded(speeds[TEXTARENA]),
        "ratio_to_openspiel_bridge": {name: ratio(speeds[name], speeds[BRIDGE]) for name in games},
        "ratio_to_textarena": ratio(speeds["german_whist"], speeds[TEXTARENA]),
        "ottocento_deal_ms": round(decisions_a_deal(games["ottocento"]) / ottocento * 1e3, 3),
        "copy_us": {name: round(copying(game, rounds), 3) for name, game in games.items()},
        "imagine_ms": {name: round(median(ms) * 1e3, 3) for name, (ms, _) in imagined.items()},
        "imagine_found": {name: round(found, 5) for name, (_, found) in imagined.items()},
    }


def in_turn(rounds: int, runs: Mapping[str, Callable[[], float] | None]) -> dict[str, list[float]]:
    """Return the figures of some rounds of all runs, after one that is not counted.

    What else the machine does falls on all of them alike, so that ratios within a round hold.
    """
    made = {name: run for name, run in runs.items() if run is not None}
    found: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in made.items():
            figure = run()
            if number:
                found[name].append(figure)
    return found


def ratio(own: list[float], other: list[float]) -> float | None:
    """Return the median of the ratios of figures that were measured in the same round."""
    if not other:
        return None
    return round(median(one / its for one, its in zip(own, other, strict=True)), 3)


def rounded(figures: list[float]) -> int | None:
    """Return the median of some figures, if there are any."""
    return round(median(figures)) if figures else None


def median_of(rounds: int, run: Callable[[], float]) -> float:
    """Return the median of some runs, after one that is not counted."""
    run()
    return median(run() for _ in range(rounds))


def decisions_a_deal(game: kibitz.Game, deals: int = 100) -> float:
    """Return how many decisions a deal takes in random play, by the mean of some deals."""
    rng, decisions = Random(1), 0
    for number in range(deals):
        deal = game.new_deal(kibitz.shuffle(game, number), number % game.seats)
        while not deal.over:
            deal.apply(rng.choice(deal.legal()))
            decisions += 1
    return decisions / deals


def playing(game: kibitz.Game, deals: int) -> float:
    """Return decisions per CPU-second of random play, with views: shuffled, dealt, decided.

    NumPy shuffles (Fisher-Yates with unbiased draws, so that every order is equally likely), in a
    small part of the time of ``Random.shuffle``: where a caller has his random orders from is no
    part of the rules. Each deal has an order of its own, which is drawn while the clock runs.
    """
    random, decisions = Random(1).random, 0
    luck, unshuffled = default_rng(1), tile(array(game.deck, uint8), (deals, 1))
    cut, cards = kibitz.cut(game, 0, 1), len(game.deck)
    start = process_time()
    decks = luck.permuted(unshuffled, axis=1).tobytes()
    for number in range(deals):
        deck = decks[number * cards : (number + 1) * cards]
        deal = game.new_deal(deck, number % game.seats, 0, cut)
        turn = deal.turn
        while turn is not None:
            legal = deal.view(turn).legal
            turn = deal.apply(legal[int(random() * len(legal))])
            decisions += 1
    return decisions / (process_time() - start)


def copying(game: kibitz.Game, rounds: int) -> float:
    """Return microseconds for a copy of a deal half played."""
    *_, end = testing.steps(game, 1)
    deal = testing.new_deal(game, 1)
    for _, action in end.history[: len(end.history) // 2]:
        deal.play(action)
    copies = range(5000)

    def run() -> float:
        start = process_time()
        for _ in copies:
            deal.copy()
        return (process_time() - start) / len(copies) * 1e6

    return median_of(rounds, run)


def imagining(game: kibitz.Game, deals: int) -> tuple[list[float], float]:
    """Return the CPU-seconds of imagining a deal from fresh views, and the share that was found."""
    rng, times, found = Random(1), [], 0
    for seed in range(deals):
        for deal in testing.steps(game, seed):
            if deal.turn is None or rng.random() > 0.25:
                continue
            view = deal.view(deal.turn)
            start = process_time()
            try:
                kibitz.imagine(view, rng)
                found += 1
            except kibitz.ImagineError:
                pass
            times.append(process_time() - start)
    return times, found / len(times)


def main() -> None:
    """Print the figures as a table, or with `--json` as one JSON object."""
    from bench.__main__ import table  # noqa: PLC0415  # which imports this module by name

    parser = argparse.ArgumentParser(prog="python -m bench.rules", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="short runs: figures are rough")
    asked = parser.parse_args()
    figures = measure(quick=asked.quick)
    print(json.dumps(figures) if asked.json else table("rules", figures))


if __name__ == "__main__":
    main()
