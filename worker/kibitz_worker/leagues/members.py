"""Bots join and leave leagues; which version of each plays."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import kibitz
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError
from kibitz_worker.leagues.log import tell
from kibitz_worker.store.bots import version_labelled
from kibitz_worker.store.models import (
    Bot,
    BotKind,
    League,
    LeagueState,
    Member,
    User,
    Version,
    VersionState,
)
from kibitz_worker.store.partners import check_partners
from kibitz_worker.store.tournaments import check_version


def league_with_id(session: Session, league_id: str) -> League:
    """Return a league, held against other changes. Raises NotFoundError (LEAGUE_UNKNOWN)."""
    query = select(League).where(League.id == league_id).with_for_update(of=League)
    league = session.scalar(query.execution_options(populate_existing=True))
    if league is None:
        raise NotFoundError(f"there is no league {league_id[:40]!r}", reason="LEAGUE_UNKNOWN")
    return league


def join(session: Session, now: datetime, asker: User, league: League, label: str) -> Member:
    """Let a bot join a league, or play as another version from the next season on.

    ``ana/heart`` always plays as its newest version, ``ana/heart/3`` as that one. Owners bring
    their own bots, where the league lets them; the organiser brings any.

    Raises NotFoundError (BOT_UNKNOWN, VERSION_UNKNOWN), ConflictError (LEAGUE_OVER,
    JOINING_CLOSED, NOT_YOUR_BOT) and InvalidError (VERSION_NOT_ADMITTED, GAME_NOT_PLAYED,
    SAME_OWNER, PARTNERS_SELF_HOSTED).
    """
    if league.state is LeagueState.ENDED:
        raise ConflictError(f"league {league.id} has ended", reason="LEAGUE_OVER")
    version, always_newest = _wanted(session, league, label, asker)
    check_may(asker, league, version.bot, joining=True)
    check_partners(kibitz.game(league.game, **league.options), [version], rated=league.rated)
    member = session.scalar(
        select(Member).where(Member.league_id == league.id, Member.bot_id == version.bot_id)
    )
    if not league.one_owner:
        _check_owner(session, league, version.bot)
    how = "its newest version" if always_newest else f"version {version.number}"
    what = f"{version.bot.label} joined, playing as {how}"
    chosen = None if always_newest else version.id
    if member is None:
        member = Member(league_id=league.id, bot=version.bot, since=now, joined=now)
        session.add(member)
    elif member.left is not None:
        member.joined = now
        member.since = now if member.division is None else member.since
        member.left = None
    elif member.version_id == chosen:
        return member
    else:
        what = f"{version.bot.label} plays as {how} from the next season on"
    member.version_id = chosen
    session.flush()
    tell(session, now, league, "JOINED", f"{what}; by {asker.name}", user_id=asker.id)
    return member


def leave(session: Session, now: datetime, asker: User, league: League, label: str) -> Member:
    """Let a bot leave a league; a season under way it plays to its end.

    Raises NotFoundError (NO_MEMBER) and ConflictError (NOT_YOUR_BOT).
    """
    member = member_labelled(session, league, label)
    check_may(asker, league, member.bot, joining=False)
    if member.left is not None:
        return member
    member.left = now
    why = f"{member.bot.label} leaves; by {asker.name}"
    tell(session, now, league, "LEFT", why, user_id=asker.id)
    return member


def member_labelled(session: Session, league: League, label: str) -> Member:
    """Return the member of this bot's label. Raises NotFoundError (NO_MEMBER)."""
    for member in members_of(session, league):
        if label.strip() == member.bot.label:
            return member
    raise NotFoundError(
        f"{label[:80]!r} is in no division and on no list of league {league.id}", reason="NO_MEMBER"
    )


def members_of(session: Session, league: League) -> list[Member]:
    """Return all that are in a league: by division and place, then the waiting list."""
    query = (
        select(Member)
        .where(Member.league_id == league.id, Member.left.is_(None) | Member.division.is_not(None))
        .order_by(Member.division.is_(None), Member.division, Member.place, Member.since, Member.id)
    )
    return list(session.scalars(query))


def _wanted(session: Session, league: League, label: str, asker: User) -> tuple[Version, bool]:
    version = version_labelled(session, label, asker)
    always_newest = label.strip() == version.bot.label
    if always_newest:
        version = _newest(session, version, league.game)
    check_version(league.game, version)
    return version, always_newest


def _newest(session: Session, version: Version, game: str) -> Version:
    """Return the newest version of the same bot that may play a game; this one if none may."""
    query = (
        select(Version)
        .where(Version.bot_id == version.bot_id, Version.state == VersionState.ADMITTED)
        .order_by(Version.number.desc())
    )
    return next((each for each in session.scalars(query) if game in each.games), version)


def check_may(asker: User, league: League, bot: Bot, *, joining: bool) -> None:
    """Refuse who may not bring or take this bot. Raises ConflictError."""
    if asker.id == league.owner_id:
        return
    if bot.owner_id != asker.id:
        raise ConflictError(
            f"{bot.label} belongs to {bot.owner.name}; it is brought and taken by "
            f"{bot.owner.name} or by the organiser, {league.owner.name}",
            reason="NOT_YOUR_BOT",
        )
    if joining and league.joining != "anybody":
        raise ConflictError(
            f"only {league.owner.name} brings bots into league {league.id}",
            reason="JOINING_CLOSED",
        )


def _check_owner(session: Session, league: League, bot: Bot) -> None:
    for other in members_of(session, league):
        same = other.bot_id != bot.id and other.bot.owner_id == bot.owner_id
        if same and BotKind.HOUSE not in {bot.kind, other.bot.kind}:
            raise InvalidError(
                f"{other.bot.label} of {bot.owner.name} is in this league, and bots of one owner "
                "may not meet here",
                reason="SAME_OWNER",
            )


def versions_of(session: Session, league: League, members: Iterable[Member]) -> dict[int, Version]:
    """Return what members play as now, by the member's id; who may not play is left out."""
    chosen = {member.bot_id: member for member in members}
    query = (
        select(Version)
        .where(Version.bot_id.in_(list(chosen)), Version.state == VersionState.ADMITTED)
        .order_by(Version.number)
        .execution_options(populate_existing=True)
    )
    found: dict[int, Version] = {}
    for version in session.scalars(query):
        member = chosen[version.bot_id]
        if league.game in version.games and member.version_id in {None, version.id}:
            found[member.id] = version
    return found
