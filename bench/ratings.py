"""How fast a league is rated, how much memory it takes, and whether the errors published are right.

Also runs by itself, for the memory of one fit: `python -m bench.ratings SEATS SETS BOTS`.
"""

import json
import os
import resource
import subprocess
import sys
from statistics import median
from time import perf_counter, process_time

import numpy as np
from kibitz_worker.ratings import SetColumns, fit

from bench.calibration import KINDS, surprises

NEW_BOTS = 5
NEW_SETS = 20


def measure(*, quick: bool) -> dict[str, object]:
    """Measure fits and calibration; the keys are documented in bench/README.md."""
    sets, bots, rounds = (20_000, 50, 1) if quick else (1_000_000, 500, 3)
    found = {seats: [in_process(seats, sets, bots) for _ in range(rounds)] for seats in (2, 4)}
    cpu = {seats: median(run["cpu_s"] for run in runs) for seats, runs in found.items()}
    return {
        "fit_1m_sets_s": cpu[2],
        "fit_1m_sets_of_4_s": cpu[4],
        "wall_s": median(run["wall_s"] for run in found[2]),
        "peak_mb": max(run["peak_mb"] for runs in found.values() for run in runs),
        "z_sd": {str(seats): deviation(seats, 6 if quick else 100) for seats in (2, 3, 4)},
    }


def in_process(seats: int, sets: int, bots: int) -> dict[str, float]:
    """Rate a league in a process and thread of its own, so that its peak of memory is known."""
    command = [sys.executable, "-m", "bench.ratings", str(seats), str(sets), str(bots)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
    return {str(key): float(value) for key, value in json.loads(done.stdout).items()}


def league(seats: int, sets: int, bots: int, seed: int = 1) -> SetColumns:
    """Sets of random bots, places by Plackett-Luce; the last bots have played `NEW_SETS` each."""
    random = np.random.default_rng(seed)
    strengths = random.normal(0.0, 0.8, bots)
    old = bots - NEW_BOTS
    players = random.integers(0, old - seats + 1, (sets, seats))
    players.sort(axis=1)
    players += np.arange(seats)
    players[: NEW_BOTS * NEW_SETS, -1] = np.repeat(np.arange(old, bots), NEW_SETS)
    scores = strengths[players] + random.gumbel(size=players.shape)
    names = tuple(f"bot{n}" for n in range(bots))
    return SetColumns(names, players, np.round(4.0 * scores), np.full(sets, 8))


def deviation(seats: int, leagues: int) -> float:
    """Standard deviation of errors of rating differences in units of their published size.

    Over leagues with and without rotation, of far and close players, with common and rare draws.
    """
    kinds = [kind for kind in KINDS if kind.seats == seats]
    return float(np.std(np.concatenate([surprises(kind, leagues) for kind in kinds])))


def main(seats: int, sets: int, bots: int) -> None:
    """Print CPU and wall-clock seconds of a fit, and the peak of memory in MB."""
    results = league(seats, sets, bots)
    cpu, wall = process_time(), perf_counter()
    fit([results], anchor="bot0")
    cpu, wall = process_time() - cpu, perf_counter() - wall
    unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, kilobytes elsewhere
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps({"cpu_s": cpu, "wall_s": wall, "peak_mb": peak}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
