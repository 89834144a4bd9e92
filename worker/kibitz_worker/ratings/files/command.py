"""`kibitz rate FILE ...`: ratings of results that need no platform."""

import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer
from kibitz.cli.arguments import Json
from kibitz.cli.console import clean, dump, interval, show
from kibitz.cli.failures import CommandError, explain, json_wanted
from kibitz.cli.rate import (
    Alpha,
    Anchor,
    AnchorElo,
    Beta,
    Elo0,
    Elo1,
    Files,
    Limit,
    Margin0,
    Margin1,
    Normalized,
    ShowCrosstable,
    ShowLuck,
    Svg,
    Test,
)

from kibitz_worker.ratings.cycles import find_cycles
from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.files.luck_table import as_json_luck, show_luck
from kibitz_worker.ratings.files.picture import draw
from kibitz_worker.ratings.files.reading import read_results
from kibitz_worker.ratings.files.trial import Trial, hold
from kibitz_worker.ratings.files.trial_report import draw_trial, show_trial
from kibitz_worker.ratings.fit import PROVISIONAL_SETS, fit
from kibitz_worker.ratings.luck import Board, boards_of
from kibitz_worker.ratings.orders import by_bankroll, by_run_off
from kibitz_worker.ratings.ratings import Ratings, Row
from kibitz_worker.ratings.sequential import Model, Plan

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def rate(
    files: Files,
    *,
    anchor: Anchor = "careful",
    anchor_elo: AnchorElo = 1500.0,
    crosstable: ShowCrosstable = False,
    luck: ShowLuck = False,
    svg: Svg = None,
    test: Test = None,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 20.0,
    normalized: Normalized = False,
    margin0: Margin0 = 0.0,
    margin1: Margin1 = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    limit: Limit = 0,
    as_json: Json = False,
) -> None:
    """Rate players from files of results; `kibitz rate --help` says what they may hold."""
    if not math.isfinite(anchor_elo):
        raise RatingError("BAD_ANCHOR", "--anchor-elo must be a finite number")
    results = read_results(files)
    if test is not None:
        model: Model = "normalized" if normalized else "logistic"
        plan = Plan(model, elo0, elo1, alpha, beta, limit=limit)
        if margin1 is not None:
            plan = Plan("margin", margin0, margin1, alpha, beta, limit=limit)
        _tell(hold(plan, *test, results.planned), results.notes, svg, as_json=as_json)
        return
    ratings = fit(results.sets, anchor, anchor_elo)
    boards, left_out = boards_of(results.matches) if luck else (None, 0)
    if left_out:
        results.notes.append(f"{left_out} deals left out of luck: forfeited, or seatings missing")
    if svg is not None:
        svg.write_text(draw(ratings), encoding="utf-8")
    notes = [*results.notes, *ratings.notes]
    if as_json:
        dump(_whole(ratings, notes, boards))
    else:
        _show(ratings, notes, boards, crosstable=crosstable)


def _tell(trial: Trial, notes: list[str], svg: Path | None, *, as_json: bool) -> None:
    """Say how a test stands."""
    if svg is not None:
        svg.write_text(draw_trial(trial), encoding="utf-8")
    if as_json:
        dump({"test": trial.to_json(), "notes": notes})
        return
    show_trial(trial)
    for note in notes:
        print(clean(note))


def _show(
    ratings: Ratings, notes: list[str], boards: list[Board] | None, *, crosstable: bool
) -> None:
    _table(ratings)
    if crosstable:
        _crosstable(ratings)
    if boards is not None:
        show_luck(boards)
    print("LOS: likelihood that the player is stronger than the next; ± holds 95 %.")
    print("Ranks go by the lower end of the interval.")
    if any(row.provisional for row in ratings.rows):
        print(f"* provisional: fewer than {PROVISIONAL_SETS} sets")
    for note in (*notes, *_circles(ratings)):
        print(clean(note))


def _whole(ratings: Ratings, notes: list[str], boards: list[Board] | None) -> dict[str, Any]:
    whole = ratings.to_json()
    whole["notes"] = notes
    whole["bankroll"] = [asdict(place) for place in by_bankroll(ratings.crosstable)]
    whole["run_off"] = [asdict(place) for place in by_run_off(ratings.crosstable)]
    whole["cycles"] = asdict(find_cycles(ratings.crosstable))
    if boards is not None:
        whole["luck"] = as_json_luck(boards)
    return whole


def _table(ratings: Ratings) -> None:
    rows = ratings.rows
    pairs = zip(rows, (*rows[1:], None), strict=True)
    show(
        ("#", "player", ">elo", ">LOS", ">margin/deal", ">sets", ">deals"),
        (_line(ratings, row, after) for row, after in pairs),
    )


def _line(ratings: Ratings, row: Row, after: Row | None) -> tuple[str, ...]:
    los = ratings.los(row.player, after.player) if after and not row.provisional else None
    return (
        (str(row.rank) if not row.pool else f"{row.pool}.{row.rank}") + "*" * row.provisional,
        row.player,
        interval(row.elo, row.elo_low, row.elo_high),
        "-" if los is None else f"{los:.0%}",
        interval(row.margin, row.margin_low, row.margin_high, 3),
        str(row.sets),
        str(row.deals),
    )


def _crosstable(ratings: Ratings) -> None:
    cells = [cell for row in ratings.rows for cell in ratings.crosstable.of(row.player)]
    show(
        ("player", "opponent", ">sets", ">won", ">margin/deal", ">p", ""),
        (
            (
                cell.player,
                cell.opponent,
                str(cell.sets),
                f"{cell.share:.0%}",
                f"{cell.margin:+.3f}",
                "-" if cell.p_value is None else f"{cell.p_value:.3f}",
                "*" if cell.significant else "",
            )
            for cell in cells
        ),
    )


def _circles(ratings: Ratings) -> list[str]:
    return [
        f"{a} beats {b} beats {c} beats {a}: not luck, and no one number shows it"
        for a, b, c in (cycle.players for cycle in find_cycles(ratings.crosstable, 3).clearest)
    ]


def main() -> None:
    """Run the command; errors of the files are one line on stderr and exit code 1."""
    as_json = json_wanted(sys.argv[1:])
    try:
        app(prog_name="kibitz rate")
    except RatingError as error:
        told = CommandError(str(error), reason=error.reason)
        raise SystemExit(explain(told, as_json=as_json)) from None
    except OSError as error:
        raise SystemExit(explain(error, as_json=as_json)) from None
