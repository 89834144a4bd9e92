"""What entrants have done, added up once and kept as long as no set came or went."""

import threading
from collections import OrderedDict
from typing import NamedTuple

from kibitz.totals import Total
from kibitz_worker.store.models import DealSet, Match, Pairing, SetState, Tournament
from sqlalchemy import func, select
from sqlalchemy.orm import Session

KEPT = 200


class Mark(NamedTuple):
    """What a tally was made of; the same again means that nothing has changed."""

    done: int
    annulled: int
    entrants: int


class Tallies:
    """The tallies of the tournaments that were asked for last, for all requests of a process."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._found: OrderedDict[str, tuple[Mark, dict[int, Total]]] = OrderedDict()
        self._one = threading.Lock()

    def of(self, session: Session, tournament: Tournament) -> dict[int, Total]:
        """Return what every entrant has done, by its number; not to be changed."""
        mark = mark_of(session, tournament)
        with self._one:
            before = self._found.get(tournament.id)
            if before is not None and before[0] == mark:
                self._found.move_to_end(tournament.id)
                return before[1]
        made = tally(session, tournament)
        with self._one:
            self._found[tournament.id] = mark, made
            self._found.move_to_end(tournament.id)
            while len(self._found) > self._kept:
                self._found.popitem(last=False)
        return made


TALLIES = Tallies()


def mark_of(session: Session, tournament: Tournament) -> Mark:
    """Return how many sets count and how many were struck out, from an index alone."""
    counted = (SetState.DONE, SetState.ANNULLED)
    query = (
        select(DealSet.state, func.count())
        .where(DealSet.tournament_id == tournament.id, DealSet.state.in_(counted))
        .group_by(DealSet.state)
    )
    counts = dict(session.execute(query).all())
    done, annulled = (counts.get(state, 0) for state in counted)
    return Mark(done, annulled, len(tournament.entrants))


def tally(session: Session, tournament: Tournament) -> dict[int, Total]:
    """Add up what every entrant has done, by its number."""
    tallies = {entrant.number: Total() for entrant in tournament.entrants}
    partners = tournament.partners_change
    query = (
        select(DealSet.scores, DealSet.margins, DealSet.deals, Pairing.entrants)
        .join(Pairing, DealSet.pairing_id == Pairing.id)
        .where(DealSet.tournament_id == tournament.id, DealSet.state == SetState.DONE)
    )
    for scores, margins, deals, players in session.execute(query):
        if scores is None or margins is None:
            continue
        for place, number in enumerate(players):
            tallies[number].add(place, scores, margins, deals, partners=partners)
    for number, count in forfeits(session, tournament.id).items():
        tallies[number].forfeits = count
    return tallies


def forfeits(session: Session, tournament_id: str) -> dict[int, int]:
    """Deals that each entrant forfeited, by its number."""
    query = (
        select(Match.forfeits, Match.seating, Pairing.entrants)
        .join(DealSet, Match.set_id == DealSet.id)
        .join(Pairing, DealSet.pairing_id == Pairing.id)
        .where(Match.tournament_id == tournament_id, Match.forfeits.is_not(None))
        .where(DealSet.state == SetState.DONE)
    )
    counts: dict[int, int] = {}
    for found, seating, players in session.execute(query):
        for forfeit in found or ():
            number = players[seating[forfeit["seat"]]]
            counts[number] = counts.get(number, 0) + 1
    return counts
