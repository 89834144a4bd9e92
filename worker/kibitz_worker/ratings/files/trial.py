"""A sequential test on results from files: is the first of two players better than the second?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.files.planned import Planned, Row, Unit, row_of
from kibitz_worker.ratings.pairs import PairEstimate, estimate_pair
from kibitz_worker.ratings.results import SetResult
from kibitz_worker.ratings.sequential import (
    Plan,
    Progress,
    judge_margins,
    judge_pairs,
    pair_counts,
    pair_outcome,
)


@dataclass(frozen=True, slots=True)
class Trial:
    """How a test stands, and what it was made of.

    `counts` are the game pairs used, from both lost to both won (None for margins), and `estimate`
    what they say of the Elo of a game; None where all went alike. `row` tells what was left out.
    """

    one: str
    two: str
    plan: Plan
    progress: Progress
    counts: tuple[int, ...] | None
    estimate: PairEstimate | None
    row: Row

    @property
    def left_out(self) -> str | None:
        """In words, which sets did not count."""
        row = self.row
        if row.stopped_by is None:
            return None
        return f"{row.left_out} later sets do not count: {row.stopped_by}"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "one": self.one,
            "two": self.two,
            **asdict(self.plan),
            **self.progress.to_json(),
            "counts": self.counts,
            "estimate": None if self.estimate is None else asdict(self.estimate),
            "left_out": self.row.left_out,
            "stopped_by": self.row.stopped_by,
        }


def hold(plan: Plan, one: str, two: str, planned: Iterable[Planned]) -> Trial:
    """Test on the sets in which both sat, in their order, up to the first that is not complete.

    Raises RatingError `SAME_PLAYER`, `NEVER_MET`, and `NEEDS_MARGINS` for a test of Elo where more
    than two sat at a table: who wins there depends on the others too.
    """
    if one == two:
        raise RatingError("SAME_PLAYER", f"--test needs two different players, not {one!r} twice")
    row = row_of(planned, frozenset((one, two)))
    if not row.sets and row.stopped_by is None:
        raise RatingError("NEVER_MET", f"{one!r} and {two!r} have no set in common in these files")
    sizes = {len(each.players) for unit in row.sets for each in unit}
    if plan.model == "margin":
        margins = [_margin(unit, one, two) for unit in row.sets]
        return Trial(one, two, plan, judge_margins(plan, margins), None, None, row)
    if sizes - {2}:
        raise RatingError(
            "NEEDS_MARGINS",
            f"tables of {max(sizes)}: a test of Elo is for two players; give --margin0 and"
            " --margin1, points a deal, to test the difference of margins",
        )
    kinds = [_kind(unit, one, two) for unit in row.sets]
    progress = judge_pairs(plan, kinds)
    counts = pair_counts(kinds[: progress.sets])
    estimate = estimate_pair(counts) if sum(count > 0 for count in counts) > 1 else None
    return Trial(one, two, plan, progress, counts, estimate, row)


def _results(unit: Unit) -> list[SetResult]:
    return [each.result for each in unit if each.result is not None]


def _kind(unit: Unit, one: str, two: str) -> int:
    """The kind of the game pair; where there are not just two games the sums stand for both."""
    games = [dict(game) for each in unit for game in each.games]
    if not games:
        games = [dict(zip(r.players, r.scores, strict=True)) for r in _results(unit)]
    leads = [game[one] - game[two] for game in games]
    return pair_outcome(*leads) if len(leads) == 2 else pair_outcome(sum(leads), sum(leads))


def _margin(unit: Unit, one: str, two: str) -> float:
    """Points a deal that the first has more than the second."""
    lead = deals = 0.0
    for result in _results(unit):
        amounts = dict(zip(result.players, result.margins or result.scores, strict=True))
        lead += amounts[one] - amounts[two]
        deals += result.deals
    return lead / deals
