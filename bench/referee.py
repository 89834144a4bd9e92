"""What the referee costs: CPU time a decision by batch size, and deals a second end to end.

The referee runs in a process of its own and reports its CPU time itself. Its cost is measured
against drivers that answer the first legal action straight from the messages, so that they
leave it as much of the machine as they can; deals a second against real bots of the SDK.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from kibitz.build import BUILD, build_of
from kibitz.v1 import referee_pb2 as wire

from bench.referee_echo import echo_cpu_us
from bench.referee_load import full_house
from bench.referee_peers import peers
from bench.referee_process import RefereeProcess

BATCHES = (1, 64, 256)
GAME = "german_whist"
DEALS = 10
"""Deals in a match: what the game's ``end`` option says by default."""


@dataclass(frozen=True)
class Run:
    """What one set took."""

    cpu_us: float
    batch: float
    deals_per_s: float
    lag_ms: float


def measure(*, quick: bool) -> dict[str, object]:
    """Return the figures; ``bench/README.md`` says what the keys mean."""
    repeats = 1 if quick else 3
    decisions = 10_000 if quick else 532_480
    costs = {batch: _runs(batch, decisions, "driver", repeats) for batch in BATCHES}
    ends = {batch: _runs(batch, decisions, "bot", repeats) for batch in BATCHES[1:]}
    return {
        "cpu_us_per_decision": {
            str(batch): round(statistics.median(run.cpu_us for run in runs), 2)
            for batch, runs in costs.items()
        },
        "mean_batch": {
            str(batch): round(statistics.median(run.batch for run in runs), 1)
            for batch, runs in costs.items()
        },
        "echo_cpu_us": {str(batch): round(_echo(batch, quick=quick), 2) for batch in BATCHES},
        "deals_per_s": {
            str(batch): round(statistics.median(run.deals_per_s for run in runs), 1)
            for batch, runs in ends.items()
        },
        "end_to_end_lag_p99_ms": round(
            max(run.lag_ms for runs in ends.values() for run in runs), 2
        ),
        **full_house(quick=quick),
        **peers(quick=quick),
        "build": {"rules": BUILD, "referee": build_of("kibitz_referee.table")},
    }


def _runs(batch: int, decisions: int, opponent: str, repeats: int) -> list[Run]:
    # Two batches for each of the two bots, so that most messages are full; and matches of the
    # usual length at every size, since a match has costs of its own.
    tables = 1 if batch == 1 else 4 * batch
    deals = max(2, min(DEALS, decisions // (52 * tables) // 2 * 2))
    matches = max(tables, min(decisions, 20_000) // (52 * deals))
    with RefereeProcess("--max-turns", str(batch)) as referee:
        referee.start_bots(opponent, count=2, max_tables=tables)
        request = referee.request(GAME, matches, deals)
        return [_run(referee, request) for _ in range(repeats)]


def _run(referee: RefereeProcess, request: wire.RunSetRequest) -> Run:
    before = referee.load()
    seconds = referee.run(request)
    after = referee.load()
    decisions = after.decisions - before.decisions
    messages = after.messages - before.messages
    return Run(
        cpu_us=(after.cpu_ms - before.cpu_ms) * 1000 / decisions,
        batch=decisions / messages,
        deals_per_s=(after.deals - before.deals) / seconds,
        lag_ms=after.lag_p99_ms,
    )


def _echo(batch: int, *, quick: bool) -> float:
    # German Whist over a match: what a message has without any turns, and what each turn adds.
    messages = 500 if quick else 5_000
    return echo_cpu_us(8 + round(4.7 * batch), 16 + 36 * batch, messages) / batch
