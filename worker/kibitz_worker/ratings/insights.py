"""What is published beside the ratings, from the same results at the same moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from kibitz_worker.ratings.bradley_terry import count_wins
from kibitz_worker.ratings.cycles import find_cycles
from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.log import Log, read_log
from kibitz_worker.ratings.luck import Board, find_components
from kibitz_worker.ratings.orders import by_bankroll, by_run_off
from kibitz_worker.ratings.plackett_luce import (
    MOST_PLAYERS,
    maximise_orders,
    orders_covariance,
)
from kibitz_worker.ratings.pools import connected, gauge
from kibitz_worker.ratings.ratings import Ratings
from kibitz_worker.ratings.results import SetColumns
from kibitz_worker.ratings.strength import SCALE
from kibitz_worker.ratings.tally import Tally
from kibitz_worker.ratings.trading import find_trades
from kibitz_worker.ratings.twins import check_company, check_twins

MOST_ORDERS = 200_000
"""Sets up to which the whole orders are fitted too: the check costs much more than the fit."""


def insights(
    results: Sequence[SetColumns],
    ratings: Ratings,
    tally: Tally,
    boards: Sequence[Board],
    twins: Iterable[tuple[str, str]] = (),
    owners: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Plain lists, texts and numbers: parts, luck, orders, cycles, whole-order fit, twins, trades.

    `luck` and `plackett_luce` are None where there is too little to tell. `twins` are pairs of
    players that are the same bot, `owners` those of the players that have one (for `trades`).
    """
    log = read_log(results)
    cycles = find_cycles(ratings.crosstable)
    return {
        "parts": [asdict(row) for row in tally.rows()],
        "luck": luck_of(boards),
        "bankroll": [asdict(place) for place in by_bankroll(ratings.crosstable)],
        "run_off": [asdict(place) for place in by_run_off(ratings.crosstable)],
        "cycles": asdict(cycles),
        "plackett_luce": whole_orders(log, ratings),
        "twins": compare_twins(results, ratings, twins),
        "trades": find_trades(log, owners or {}).to_json(),
    }


def luck_of(boards: Sequence[Board]) -> dict[str, Any] | None:
    """Variance components and what follows from them; None for fewer than two boards of a table."""
    try:
        luck = find_components(boards)
    except RatingError:
        return None
    typical = (2.0 * luck.bot) ** 0.5
    return {
        **asdict(luck),
        "luck": luck.luck,
        "rho": luck.rho,
        "factor": luck.factor if luck.rho < 1.0 else None,
        "typical": typical,
        "deals_typical": luck.deals_needed(typical) if typical > 0.0 else None,
        "deals_typical_alone": (
            luck.deals_needed(typical, duplicate=False) if typical > 0.0 else None
        ),
    }


def whole_orders(log: Log, ratings: Ratings) -> list[dict[str, Any]] | None:
    """Plackett-Luce elos with their errors, for each player that has played.

    `z` is how many errors of its own a fit lies off the published elo. None where it would say the
    same (tables of two), cost too much, or where partners change.
    """
    sizes = {block.size for block in log.blocks}
    if any(block.partners for block in log.blocks):
        return None
    if not sizes or max(sizes) < 3 or max(sizes) > MOST_PLAYERS or log.sets > MOST_ORDERS:
        return None
    theta, information = maximise_orders(log)
    anchor = log.names.index(ratings.anchor) if ratings.anchor in log.names else None
    shift = gauge(log.size, connected(count_wins(log)), anchor)
    covariance = shift @ orders_covariance(log, theta, information, 1.0) @ shift.T
    elo = ratings.anchor_elo + SCALE * shift @ theta
    errors = SCALE * np.sqrt(np.clip(np.diag(covariance), 0.0, None))
    published = {row.player: row.elo for row in ratings.rows if not row.inherited}
    return [
        {
            "player": name,
            "elo": value,
            "error": error,
            "z": (value - published[name]) / error if error > 0 and name in published else None,
        }
        for name, value, error in zip(log.names, elo.tolist(), errors.tolist(), strict=True)
    ]


def compare_twins(
    results: Sequence[SetColumns], ratings: Ratings, twins: Iterable[tuple[str, str]]
) -> list[dict[str, Any]]:
    """How players that are the same bot compare, a pair a line; `ratings` are of these results."""
    log = read_log(results)
    return [_twin(log, ratings, *pair) for pair in sorted(twins)]


def _twin(log: Log, ratings: Ratings, one: str, two: str) -> dict[str, Any]:
    """The copies' difference, and in the company of each pair of other bots."""
    try:
        check = check_twins(ratings, one, two).to_json()
    except RatingError as error:
        return {"one": one, "two": two, "reason": error.reason, "alarm": False, "company": []}
    company = check_company(log, one, two)
    check["company"] = [asdict(each) for each in company]
    check["alarm"] = bool(check["alarm"]) or any(each.alarm for each in company)
    return check
