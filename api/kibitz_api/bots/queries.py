"""Bots and their versions out of the store."""

from collections.abc import Sequence

from kibitz_worker.store.models import Bot, BotKind, User, Version, VersionState
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, selectinload

from kibitz_api.bots.models import BotRating, BotSummary, HeadToHead, VersionSummary
from kibitz_api.context import Person
from kibitz_api.errors import NotFoundError
from kibitz_api.leaderboards.queries import Board
from kibitz_api.paging import Page, Paging

HEAD_TO_HEAD_MAX = 100


def find(session: Session, label: str) -> Bot:
    """A bot by label (`careful`, `ana/heart`) or number. Raises NotFoundError."""
    query = select(Bot).join(User).options(selectinload(Bot.versions))
    owner, _, name = label.rpartition("/")
    if owner:
        bot = session.scalar(query.where(User.name == owner, Bot.name == name))
    else:
        bot = session.scalar(query.where(Bot.kind == BotKind.HOUSE, Bot.name == name))
        if bot is None and name.isdecimal() and len(name) < 19:
            bot = session.scalar(query.where(Bot.id == int(name)))
    if bot is None:
        raise NotFoundError("bot", label, where="path.bot")
    return bot


def version_summary(version: Version) -> VersionSummary:
    """Tell a version."""
    return VersionSummary(
        id=version.id,
        number=version.number,
        state=version.state.value,
        reason=version.reason,
        games=version.games,
        content_hash=version.content_hash,
        created=version.created,
        admitted=version.admitted,
        seen=version.seen,
    )


def summary(bot: Bot) -> BotSummary:
    """A bot with its playing version; its versions must be loaded."""
    admitted = [v for v in bot.versions if v.state is VersionState.ADMITTED]
    return BotSummary(
        id=bot.id,
        bot=bot.label,
        name=bot.name,
        owner=bot.owner.name,
        kind=bot.kind.value,
        description=bot.description,
        created=bot.created,
        versions=len(bot.versions),
        newest=version_summary(admitted[-1]) if admitted else None,
        latest_state=bot.versions[-1].state.value if bot.versions else None,
    )


def all_bots(
    session: Session, paging: Paging, *, owner: str | None = None, game: str | None = None
) -> Page[BotSummary]:
    """Bots by label; of one owner, or with an admitted version for one game."""
    query: Select[Bot] = select(Bot).join(User).options(selectinload(Bot.versions))
    if owner is not None:
        query = query.where(User.name == owner)
    found = session.scalars(query.order_by(Bot.kind != BotKind.HOUSE, User.name, Bot.name)).all()
    if game is not None:
        found = [bot for bot in found if plays(bot, game)]
    part = found[paging.offset : paging.offset + paging.limit]
    return Page.of([summary(bot) for bot in part], len(found), paging)


def plays(bot: Bot, game: str) -> bool:
    """Whether an admitted version of the bot plays the game."""
    return any(v.state is VersionState.ADMITTED and game in v.games for v in bot.versions)


def count(session: Session) -> int:
    """Count the bots there are."""
    return session.scalar(select(func.count()).select_from(Bot)) or 0


def ratings(bot: Bot, boards: Sequence[Board]) -> list[BotRating]:
    """The bot's lines in the newest ratings, newest version first within a pool."""
    numbers = {version.label: version.number for version in bot.versions}
    return [
        BotRating(
            game=board.snapshot.game,
            title=board.about.title,
            pool=board.snapshot.pool,
            main=board.main,
            snapshot=board.snapshot.id,
            version=numbers[row.player],
            rank=row.rank,
            elo=row.elo,
            elo_low=row.elo_low,
            elo_high=row.elo_high,
            margin=row.margin,
            sets=row.sets,
            deals=row.deals,
            provisional=row.provisional,
        )
        for board in boards
        for row in sorted(board.ratings.rows, key=lambda row: -numbers.get(row.player, 0))
        if row.player in numbers
    ]


def head_to_head(bot: Bot, boards: Sequence[Board]) -> list[HeadToHead]:
    """The bot's versions against everybody they met, in the newest ratings."""
    numbers = {version.label: version.number for version in bot.versions}
    found = [
        HeadToHead(
            game=board.snapshot.game,
            title=board.about.title,
            snapshot=board.snapshot.id,
            version=numbers[cell.player],
            opponent=board.versions[cell.opponent].bot.label,
            opponent_version=board.versions[cell.opponent].number,
            sets=cell.sets,
            deals=cell.deals,
            share=cell.share,
            margin=cell.margin,
            p_value=cell.p_value,
            significant=cell.significant,
        )
        for board in boards
        for label in numbers
        for cell in board.ratings.crosstable.of(label)
        if cell.opponent in board.versions
    ]
    found.sort(key=lambda cell: (cell.title, -cell.version, -cell.share, cell.opponent))
    return found[:HEAD_TO_HEAD_MAX]


def admitted_versions(session: Session, game: str) -> list[Version]:
    """The newest admitted version of every bot that plays the game."""
    query = select(Bot).join(User).options(selectinload(Bot.versions))
    found = session.scalars(query.order_by(Bot.kind != BotKind.HOUSE, User.name, Bot.name))
    newest = []
    for bot in found:
        fit = [v for v in bot.versions if v.state is VersionState.ADMITTED and game in v.games]
        newest += fit[-1:]
    return newest


def bots_of(session: Session, owner: str, game: str) -> list[str]:
    """Labels of somebody's bots that play a game."""
    query = select(Bot).join(User).where(User.name == owner).options(selectinload(Bot.versions))
    return [bot.label for bot in session.scalars(query.order_by(Bot.name)) if plays(bot, game)]


def own_versions(session: Session, game: str, person: Person | None) -> list[Version]:
    """The admitted versions of somebody's bots that play the game, the newest of each bot first."""
    if person is None:
        return []
    query = (
        select(Version)
        .join(Bot)
        .where(Bot.owner_id == person.id, Version.state == VersionState.ADMITTED)
        .order_by(Bot.name, Version.number.desc())
    )
    return [version for version in session.scalars(query) if game in version.games]
