"""Versions out of the store."""

from kibitz_worker.store import Store
from kibitz_worker.store.models import Admission, Bot, Entrant, SetState, Tournament, Version
from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from kibitz_api.bots.queries import version_summary
from kibitz_api.context import Person
from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.versions.models import AdmissionAnswer, VersionAnswer, VersionTournament

TOURNAMENTS_SHOWN = 20
LOG_SHOWN = 64_000


def find(session: Session, version_id: int) -> Version:
    """A version by number. Raises NotFoundError."""
    query = (
        select(Version)
        .where(Version.id == version_id)
        .options(selectinload(Version.bot).selectinload(Bot.versions))
    )
    version = session.scalar(query)
    if version is None:
        raise NotFoundError("version", version_id, where="path.version_id")
    return version


def answer(
    store: Store, session: Session, version: Version, person: Person | None
) -> VersionAnswer:
    """All about a version; its log only for the owner of the bot."""
    owned = person is not None and person.id == version.bot.owner_id
    return VersionAnswer(
        **version_summary(version).model_dump(),
        bot=version.bot.label,
        kind=version.bot.kind.value,
        label=version.label,
        admission=admission(store, session, version),
        tournaments=tournaments(session, version),
        log=(version.log or "")[-LOG_SHOWN:] if owned else None,
    )


def admission(store: Store, session: Session, version: Version) -> AdmissionAnswer | None:
    """How the version's trial stands and how many wait before it."""
    trial = session.get(Admission, version.id)
    if trial is None:
        return None
    waiting = select(func.count()).where(
        Admission.state == SetState.WAITING, Admission.created < trial.created
    )
    ahead = session.scalar(waiting) if trial.state is SetState.WAITING else 0
    until = trial.finished or store.now(session)
    return AdmissionAnswer(
        state=trial.state.value,
        ahead=ahead or 0,
        waited_seconds=round((until - trial.created).total_seconds(), 1),
        attempts=trial.attempts,
        reason=trial.reason,
    )


def tournaments(session: Session, version: Version) -> list[VersionTournament]:
    query = (
        select(Tournament)
        .join(Entrant, Entrant.tournament_id == Tournament.id)
        .where(Entrant.version_id == version.id)
        .order_by(Tournament.created.desc())
        .limit(TOURNAMENTS_SHOWN)
    )
    return [
        VersionTournament(
            id=tournament.id,
            name=tournament.name,
            game=tournament.game,
            title=title(tournament.game),
            state=tournament.state.value,
        )
        for tournament in session.scalars(query)
    ]
