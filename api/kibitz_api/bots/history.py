"""How a bot's ratings came about: a point for each completed round, and why it moved."""

from datetime import datetime

from kibitz_worker.store.models import Bot, RatingPoint, Tournament, Version
from pydantic import BaseModel, Field, computed_field
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_api.games.queries import titles

POINTS_MAX = 2000


class HistoryPoint(BaseModel):
    """A version's rating after a completed round; intervals hold 95 %."""

    version: int
    tournament: str
    tournament_name: str
    round: int
    snapshot: int
    created: datetime
    rank: int
    elo: float
    elo_low: float
    elo_high: float
    sets: int
    before: float | None = Field(description="Elo when the round began; null: not rated yet.")
    games: int = Field(description="Opponents met in the sets of the round, one by one.")
    actual: float = Field(description="Points won from them: 1 a win, a half a draw.")
    expected: float | None = Field(description="Points that the Elos before the round gave.")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def why(self) -> str:
        """The change in words."""
        if self.before is None or self.expected is None:
            return f"first rated: {self.actual:g} of {self.games} points"
        gained = self.actual - self.expected
        better = "as expected"
        if abs(gained) >= 0.05:
            better = f"{abs(gained):.1f} {'more' if gained > 0 else 'fewer'} than expected"
        own = f"{self.actual:g} of {self.games} points, {better}"
        moved = self.elo - self.before
        if abs(gained) >= 0.05 and abs(moved) >= 0.5 and (gained > 0) != (moved > 0):
            return f"{own}; the opponents' or the anchor's results moved it more"
        return own


class History(BaseModel):
    """The points of one pool, in order of time."""

    game: str
    title: str
    pool: str
    points: list[HistoryPoint]


def history(session: Session, bot: Bot) -> list[History]:
    """The histories of a bot's versions, one a pool, the longest first."""
    query = (
        select(RatingPoint, Version.number, Tournament.name)
        .join(Version, Version.id == RatingPoint.version_id)
        .join(Tournament, Tournament.id == RatingPoint.tournament_id)
        .where(Version.bot_id == bot.id)
        .order_by(RatingPoint.id.desc())
        .limit(POINTS_MAX)
    )
    found: dict[str, History] = {}
    for point, version, name in reversed(session.execute(query).all()):
        if point.pool not in found:
            title = titles().get(point.game, point.game)
            found[point.pool] = History(game=point.game, title=title, pool=point.pool, points=[])
        found[point.pool].points.append(_told(point, version, name))
    return sorted(found.values(), key=lambda each: -len(each.points))


def _told(point: RatingPoint, version: int, name: str) -> HistoryPoint:
    return HistoryPoint(
        version=version,
        tournament=point.tournament_id,
        tournament_name=name,
        round=point.round,
        snapshot=point.snapshot,
        created=point.created,
        rank=point.rank,
        elo=point.elo,
        elo_low=point.elo_low,
        elo_high=point.elo_high,
        sets=point.sets,
        before=point.before,
        games=point.games,
        actual=point.actual,
        expected=point.expected,
    )
