"""The order that a format gives its entrants, told by labels."""

from kibitz_worker.schedule.formats import Format, Gauntlet, Placing, Situation, Versus, placings
from pydantic import BaseModel, Field

from kibitz_api.tournaments.words import RESULTS


class StopAnswer(BaseModel):
    round: int = Field(description="From 1; of a halving, the rung.")
    opponents: list[str] = Field(description="Labels of those met; none for a bye.")
    ranks: list[int] = Field(description="The opponents' ranks now.")
    result: str = Field(
        description="won (or went on), drawn, lost (or went out), part (better than some at a "
        "table of more than two), bye, void or open."
    )
    points: float | None = Field(description="Share of the opponents beaten, 0 to 1.")

    @property
    def sign(self) -> str:
        """One character for a small table."""
        return RESULTS[self.result][0]

    @property
    def words(self) -> str:
        """The same in words."""
        against = f" against {', '.join(self.opponents)}" if self.opponents else ""
        return f"round {self.round}: {RESULTS[self.result][1]}{against}"


class PlacingAnswer(BaseModel):
    """What a format counts beside what all formats do."""

    role: str | None = Field(
        description="challenger or field (gauntlet); candidate, base or company (versus)."
    )
    points: float | None = Field(description="Points of a Swiss, with byes.")
    buchholz: float | None = Field(description="Points of all opponents of a Swiss, added up.")
    median: float | None = Field(description="The same without the best and the worst of them.")
    byes: int
    fell: int | None = Field(description="The round (or rung) in which it went out.")
    course: list[StopAnswer]


def role_of(chosen: Format, number: int) -> str | None:
    """What an entrant is in formats in which not all are the same."""
    if isinstance(chosen, Gauntlet):
        return "challenger" if number < chosen.challengers else "field"
    if isinstance(chosen, Versus):
        return ("candidate", "base", "company")[min(number, 2)]
    return None


def placed(chosen: Format, now: Situation | None, labels: dict[int, str]) -> dict[int, Placing]:
    """Entrants by number in the order of the format; empty where it gives none."""
    found = placings(chosen, now) if now is not None else None
    return {each.entrant: each for each in found or () if each.entrant in labels}


def told(
    chosen: Format, number: int, found: dict[int, Placing], labels: dict[int, str]
) -> PlacingAnswer | None:
    """Tell the placing of an entrant; None where its format counts nothing of its own."""
    role, each = role_of(chosen, number), found.get(number)
    if role is None and each is None:
        return None
    each = each or Placing(number)
    ranks = {entrant: rank for rank, entrant in enumerate(found, 1)}
    return PlacingAnswer(
        role=role,
        points=each.points,
        buchholz=each.buchholz,
        median=each.median,
        byes=each.byes,
        fell=each.fell,
        course=[
            StopAnswer(
                round=stop.round,
                opponents=[labels[other] for other in stop.opponents],
                ranks=[ranks[other] for other in stop.opponents],
                result=stop.result,
                points=stop.points,
            )
            for stop in each.course
        ],
    )
