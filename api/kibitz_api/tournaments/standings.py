"""The standings of a tournament: added up from its finished sets, rated by its snapshot."""

from collections.abc import Callable, Mapping, Sequence

from kibitz.totals import Total, ranked
from kibitz_worker.ratings.ratings import Row
from kibitz_worker.schedule.formats import Format, Situation
from kibitz_worker.store.models import Entrant, Snapshot, Tournament
from kibitz_worker.store.planning import format_of
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_api.leaderboards.queries import Board, open_board
from kibitz_api.tournaments.models import Standing
from kibitz_api.tournaments.placings import placed, role_of, told
from kibitz_api.tournaments.tallies import TALLIES

ROLES = {"challenger": 0, "field": 1, "candidate": 0, "base": 1, "company": 2}


def standings(
    session: Session, tournament: Tournament, board: Board | None, now: Situation | None
) -> list[Standing]:
    """All entrants in the order of their format (`now` is what it may know, where it asks).

    Swiss: points, then those of opponents. Knockout and halving: who came furthest. Gauntlet and
    versus: challengers or candidate first. Ladder: Elo, once there is one. Else, and within these:
    the greatest share of opponents beaten.
    """
    tallies = TALLIES.of(session, tournament)
    ratings = {row.player: row for row in board.ratings.rows} if board else {}
    entrants = {entrant.version.label: entrant for entrant in tournament.entrants}
    by_share = ranked((label, tallies[entrant.number]) for label, entrant in entrants.items())
    chosen = format_of(tournament)
    names = {entrant.number: label for label, entrant in entrants.items()}
    places = placed(chosen, now, names)
    key = _order(chosen, list(places), ratings)
    order = sorted(by_share, key=lambda one: key(entrants[one[0]]))
    return [
        _standing(rank, entrants[label], total, ratings.get(label)).model_copy(
            update={"placing": told(chosen, entrants[label].number, places, names)}
        )
        for rank, (label, total) in enumerate(order, 1)
    ]


def _order(
    chosen: Format, places: Sequence[int], ratings: Mapping[str, Row]
) -> Callable[[Entrant], float]:
    """What entrants are sorted by before the share of opponents beaten, the least first."""
    if places:
        return lambda entrant: places.index(entrant.number)
    if chosen.name == "ladder":
        return lambda entrant: (
            -ratings[entrant.version.label].elo if entrant.version.label in ratings else 1e9
        )
    return lambda entrant: ROLES.get(role_of(chosen, entrant.number) or "", 0)


def tournament_board(session: Session, tournament: Tournament) -> Board | None:
    """The newest ratings within one tournament; None while there are none."""
    newest = select(func.max(Snapshot.id)).where(Snapshot.tournament_id == tournament.id)
    snapshot = session.scalar(select(Snapshot).where(Snapshot.id == newest.scalar_subquery()))
    if snapshot is None:
        return None
    players = [entrant.version for entrant in tournament.entrants]
    return open_board(session, snapshot, False, players)


def _standing(rank: int, entrant: Entrant, total: Total, row: Row | None) -> Standing:
    version = entrant.version
    return Standing(
        rank=rank,
        entrant=entrant.number,
        bot=version.bot.label,
        version=version.number,
        version_id=version.id,
        sets=total.sets,
        deals=total.deals,
        share=total.share,
        points=total.points,
        margin=total.mean_margin,
        margin_low=row.margin_low if row else None,
        margin_high=row.margin_high if row else None,
        forfeits=total.forfeits,
        elo=row.elo if row else None,
        elo_low=row.elo_low if row else None,
        elo_high=row.elo_high if row else None,
        provisional=row.provisional if row else True,
    )
