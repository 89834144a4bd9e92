"""Whether self-hosted bots play decks better when they meet them again (`kibitz.second_look`)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from kibitz.second_look import SecondLook, second_looks
from kibitz_worker.store.models import (
    Bot,
    BotKind,
    DealSet,
    Entrant,
    Match,
    Pairing,
    SetState,
    Tournament,
    Version,
)
from kibitz_worker.store.moments import database_now
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from kibitz_api.tournaments.models import SecondLookAnswer

RECENT = timedelta(days=7)
MOST_TOURNAMENTS = 10


def answers(session: Session, tournament: Tournament) -> list[SecondLookAnswer]:
    """The test for each self-hosted entrant, by number; none for others, who remember nothing."""
    hosted = {
        entrant.number: entrant.version
        for entrant in tournament.entrants
        if entrant.version.bot.kind is BotKind.SELF_HOSTED
    }
    looks = looks_of(session, tournament.id, list(hosted)) if hosted else {}
    return [
        SecondLookAnswer(
            bot=version.bot.label,
            version=version.number,
            rows=looks[str(number)].rows,
            gain=looks[str(number)].gain,
            error=looks[str(number)].error,
            p=looks[str(number)].p,
            flagged=looks[str(number)].flagged,
        )
        for number, version in hosted.items()
    ]


def looks_of(session: Session, tournament_id: str, numbers: Sequence[int]) -> dict[str, SecondLook]:
    """Test entrants by their numbers, which are the keys as texts."""
    query = (
        select(
            func.coalesce(DealSet.twin_id, DealSet.id),  # whose decks they are
            Match.half,
            Match.seating,
            Match.margins,
            Match.deals,
            Pairing.entrants,
        )
        .join(DealSet, Match.set_id == DealSet.id)
        .join(Pairing, DealSet.pairing_id == Pairing.id)
        .where(DealSet.tournament_id == tournament_id, DealSet.state == SetState.DONE)
        .order_by(Match.finished, Match.number)
    )
    met: dict[str, dict[tuple[str, int], list[float]]] = {
        str(number): defaultdict(list) for number in numbers
    }
    for cards, half, seating, margins, deals, entrants in session.execute(query):
        for number, margin in _means(seating, margins or (), entrants):
            if str(number) in met and deals:
                met[str(number)][cards, half].append(margin / deals)
    return second_looks({number: rows.values() for number, rows in met.items()})


def _means(
    seating: Sequence[int], margins: Sequence[float], entrants: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """Yield the margin of each entrant in a match, partners' seats averaged."""
    for place, number in enumerate(entrants):
        own = [margin for player, margin in zip(seating, margins, strict=True) if player == place]
        if own:
            yield number, sum(own) / len(own)


def alarms(session: Session) -> Iterator[str]:
    """Yield in words which bots of recent tournaments are flagged."""
    since = database_now(session) - RECENT
    visited = (
        select(Entrant.tournament_id).join(Version).join(Bot).where(Bot.kind == BotKind.SELF_HOSTED)
    )
    query = (
        select(Tournament)
        .where(Tournament.id.in_(visited), Tournament.started.is_not(None))
        .where(or_(Tournament.finished.is_(None), Tournament.finished > since))
        .order_by(Tournament.created.desc())
        .limit(MOST_TOURNAMENTS)
    )
    for tournament in session.scalars(query):
        for look in answers(session, tournament):
            if look.flagged:
                yield (
                    f"{look.bot}/{look.version} plays decks better when it meets them again: "
                    f"{look.gain:+.2f} points a deal over {look.rows} rows of decks (p = "
                    f"{look.p:.1g}) in tournament {tournament.id}."
                )
