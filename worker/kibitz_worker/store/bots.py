"""Bots and versions: house bots, submissions, and how versions are found by label."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError
from kibitz_worker.store.accounts import house
from kibitz_worker.store.models import (
    Admission,
    Bot,
    BotKind,
    SetState,
    User,
    Version,
    VersionState,
)
from kibitz_worker.store.moments import database_now
from kibitz_worker.store.names import check_name

HOW_BOTS_ARE_NAMED = (
    "a bot of the house is named like 'careful', a bot of a user like 'ana/heart', "
    "a version of it like 'ana/heart/3'"
)


def add_house_bot(
    session: Session, name: str, spec: str, content_hash: str, games: Sequence[str]
) -> Version:
    """Return the admitted version of a bot that comes with Kibitz, adding it when it is new.

    `content_hash` tells versions apart: a changed house bot becomes a new version.
    """
    bot = _bot(session, house(session), name, BotKind.HOUSE, "")
    found = _by_hash(session, bot, content_hash)
    if found is not None:
        return found
    version = _new_version(session, bot, content_hash, games)
    version.spec = spec
    version.state = VersionState.ADMITTED
    version.admitted = version.created
    session.flush()
    return version


def submit_version(
    session: Session,
    owner: User,
    name: str,
    *,
    content_hash: str,
    path: str,
    games: Sequence[str],
    description: str = "",
) -> tuple[Version, bool]:
    """Add an uploaded version and ask for its admission; return it and whether it is new.

    The same content again gives the version that exists. A bot of that name becomes the bot of
    this version; it must be a submitted one.

    Raises InvalidError (NAME_INVALID, GAMES_MISSING) or ConflictError (BOT_KIND_DIFFERS).
    """
    bot = _bot(session, owner, name, BotKind.SUBMITTED, description)
    found = _by_hash(session, bot, content_hash)
    if found is not None:
        return found, False
    version = _new_version(session, bot, content_hash, games)
    version.path = path
    session.flush()
    session.add(Admission(version_id=version.id, created=version.created, state=SetState.WAITING))
    session.flush()
    return version, True


def host_version(session: Session, owner: User, name: str, games: Sequence[str]) -> Version:
    """Return the version of a bot that its owner runs himself, adding it when it is new.

    What such a bot contains cannot be seen; its version is told apart by its games alone.
    Raises InvalidError (NAME_INVALID, GAMES_MISSING) or ConflictError (BOT_KIND_DIFFERS).
    """
    bot = _bot(session, owner, name, BotKind.SELF_HOSTED, "")
    key = "games:" + ",".join(sorted(games))
    found = _by_hash(session, bot, key[:64])
    if found is not None:
        return found
    version = _new_version(session, bot, key[:64], games)
    version.state = VersionState.ADMITTED
    version.admitted = version.created
    session.flush()
    return version


def version_labelled(session: Session, label: str, asker: User | None = None) -> Version:
    """Find a version by label: ``careful``, ``careful/1``, ``ana/heart`` or ``ana/heart/3``.

    Without a number it is the newest admitted version, or the newest at all if none is.
    Raises NotFoundError (BOT_UNKNOWN, VERSION_UNKNOWN), which suggests what `asker` may have meant.
    """
    parts = label.strip().split("/")
    number = int(parts.pop()) if len(parts) > 1 and parts[-1].isdecimal() else None
    owner, name = parts if len(parts) == 2 else ("house", parts[0])
    query = select(Bot).join(User).where(User.name == owner, Bot.name == name)
    bot = session.scalar(query) if len(parts) <= 2 else None
    if bot is None:
        meant = _meant(session, "/".join(parts), asker)
        hint = f"did you mean {meant!r}?" if meant else HOW_BOTS_ARE_NAMED
        raise NotFoundError(f"there is no bot {label[:80]!r}; {hint}", reason="BOT_UNKNOWN")
    return _pick_version(session, bot, number)


def _meant(session: Session, label: str, asker: User | None) -> str | None:
    """Return the bot with this name of the asker or of anybody, else one called nearly so."""
    name = label.rpartition("/")[2]
    own = Bot.owner_id == (asker.id if asker else None)
    same = session.scalar(select(Bot).where(Bot.name == name).order_by(own.desc(), Bot.id).limit(1))
    if same is not None:
        return same.label
    near = select(Bot).where(own | (Bot.kind == BotKind.HOUSE)).order_by(Bot.id).limit(1000)
    labels = [bot.label for bot in session.scalars(near)]
    return next(iter(get_close_matches(label[:80], labels, 1, cutoff=0.75)), None)


def _pick_version(session: Session, bot: Bot, number: int | None) -> Version:
    query = select(Version).where(Version.bot_id == bot.id).order_by(Version.number.desc())
    versions = list(session.scalars(query))
    if number is not None:
        versions = [version for version in versions if version.number == number]
    admitted = [version for version in versions if version.state is VersionState.ADMITTED]
    for version in admitted or versions:
        return version
    wanted = "any version" if number is None else f"version {number}"
    raise NotFoundError(f"the bot {bot.label!r} has not {wanted}", reason="VERSION_UNKNOWN")


def _bot(session: Session, owner: User, name: str, kind: BotKind, description: str) -> Bot:
    check_name(name, "bot")
    bot = session.scalar(select(Bot).where(Bot.owner_id == owner.id, Bot.name == name))
    if bot is None:
        bot = Bot(
            owner_id=owner.id,
            name=name,
            kind=kind,
            description=description[:2000],
            created=database_now(session),
        )
        session.add(bot)
        session.flush()
    elif bot.kind is not kind:
        raise ConflictError(
            f"{bot.label!r} is a {_KINDS[bot.kind]} bot; choose another name for a "
            f"{_KINDS[kind]} one",
            reason="BOT_KIND_DIFFERS",
        )
    elif description:
        bot.description = description[:2000]
    return bot


_KINDS = {
    BotKind.HOUSE: "house",
    BotKind.SUBMITTED: "submitted",
    BotKind.SELF_HOSTED: "self-hosted",
}


def _by_hash(session: Session, bot: Bot, content_hash: str) -> Version | None:
    query = select(Version).where(Version.bot_id == bot.id, Version.content_hash == content_hash)
    return session.scalar(query)


def _new_version(session: Session, bot: Bot, content_hash: str, games: Sequence[str]) -> Version:
    if not games:
        raise InvalidError(f"{bot.label}: name at least one game", reason="GAMES_MISSING")
    last = session.scalar(select(func.max(Version.number)).where(Version.bot_id == bot.id))
    version = Version(
        bot=bot,
        number=(last or 0) + 1,
        content_hash=content_hash,
        games=sorted(games),
        state=VersionState.PENDING,
        created=database_now(session),
    )
    session.add(version)
    return version
