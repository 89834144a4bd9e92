"""How fast the rules are: random play, copies and imagined deals, beside OpenSpiel's bridge.

Also runs by itself: `python -m bench.rules [--json] [--quick]`.
"""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time

import kibitz
from kibitz import testing


def measure(*, quick: bool) -> dict[str, object]:
    """Measure all games; the keys are documented in bench/README.md."""
    rounds, deals = (3, 30) if quick else (9, 200)
    games = {name: kibitz.game(name) for name in kibitz.games()}
    speed = {name: median_of(rounds, partial(playing, game, deals)) for name, game in games.items()}
    bridge = bridge_speed(rounds, deals)
    ratio = {name: None if bridge is None else one / bridge for name, one in speed.items()}
    imagined = {name: imagining(game, 5 if quick else 30) for name, game in games.items()}
    return {
        "decisions_per_cpu_s": speed,
        "openspiel_bridge_decisions_per_cpu_s": bridge,
        "ratio_to_openspiel_bridge": ratio,
        "copy_us": {name: copying(game, rounds) for name, game in games.items()},
        "imagine_ms": {name: median(times) * 1e3 for name, (times, _) in imagined.items()},
        "imagine_found": {name: found for name, (_, found) in imagined.items()},
    }


def median_of(rounds: int, run: Callable[[], float]) -> float:
    """Return the median of some runs, after one that is not counted."""
    run()
    return median(run() for _ in range(rounds))


def playing(game: kibitz.Game, deals: int) -> float:
    """Return decisions per CPU-second of random play, with views: shuffled, dealt, decided."""
    rng = Random(1)
    random, deck, decisions = rng.random, list(game.deck), 0
    cut = kibitz.cut(game, 0, 1)
    start = process_time()
    for number in range(deals):
        deck.sort(key=lambda _: random())  # shuffles, in less time than `rng.shuffle`
        deal = game.new_deal(deck, number % game.seats, 0, cut)
        while (turn := deal.turn) is not None:
            legal = deal.view(turn).legal
            deal.apply(legal[int(random() * len(legal))])
            decisions += 1
    return decisions / (process_time() - start)


def bridge_speed(rounds: int, deals: int) -> float | None:
    """Return the same of OpenSpiel's bridge, without its double dummy solver; `None` without it."""
    try:
        import pyspiel  # noqa: PLC0415  # only where it is installed
    except ImportError:
        print("pyspiel is not installed: no comparison with OpenSpiel", file=sys.stderr)
        return None
    bridge = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    return median_of(rounds, partial(bridge_playing, bridge, deals))


def bridge_playing(bridge: "object", deals: int) -> float:
    """Return decisions per CPU-second of random bridge; dealing takes time but is not counted."""
    rng = Random(1)
    random, decisions = rng.random, 0
    start = process_time()
    for _ in range(deals):
        state = bridge.new_initial_state()  # type: ignore[attr-defined]  # pyspiel has no types
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
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
