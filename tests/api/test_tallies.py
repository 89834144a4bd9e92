"""Tallies are kept as long as nothing changes, and made anew when a set is struck out."""

from kibitz_api.tournaments.queries import find
from kibitz_api.tournaments.tallies import Tallies
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, SetState
from sqlalchemy import select

from tests.api.conftest import Site


def test_a_tally_follows_what_counts(site: Site, store: Store) -> None:
    tallies = Tallies(kept=1)
    with store.read() as session:
        tournament = find(session, site.over)
        first = tallies.of(session, tournament)
        assert tallies.of(session, tournament) is first
        assert sum(total.forfeits for total in first.values()) == 1
        other = find(session, site.unfinished)
        assert tallies.of(session, other) is not first
        assert tallies.of(session, tournament) is not first
        done = select(DealSet).where(
            DealSet.tournament_id == site.over, DealSet.state == SetState.DONE
        )
        sets = sum(total.sets for total in first.values())
        assert sets == len(session.scalars(done).all()) * 2
