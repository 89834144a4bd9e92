"""Which snapshots there are and what stands in them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from kibitz_worker.ratings.ratings import Ratings
from kibitz_worker.store.models import Bot, Snapshot, User, Version, VersionState
from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer, undefer

from kibitz_api.errors import NotFoundError
from kibitz_api.games.queries import title
from kibitz_api.leaderboards.models import Leaderboard, LeaderboardRow


@dataclass(frozen=True)
class Board:
    """A snapshot, its ratings, and who the rated players are."""

    snapshot: Snapshot
    ratings: Ratings
    versions: dict[str, Version]
    main: bool

    @property
    def about(self) -> Leaderboard:
        snapshot, ratings = self.snapshot, self.ratings
        return Leaderboard(
            game=snapshot.game,
            title=title(snapshot.game),
            pool=snapshot.pool,
            options=snapshot.options,
            main=self.main,
            snapshot=snapshot.id,
            created=snapshot.created,
            bots=len(ratings.rows),
            sets=snapshot.sets,
            deals=snapshot.deals,
            anchor=ratings.anchor,
            anchor_elo=ratings.anchor_elo,
            notes=list(ratings.notes),
        )


def newest_snapshots(session: Session, game: str | None = None) -> list[Snapshot]:
    """The newest snapshot of every pool, of each game the pool with most sets first."""
    newest = select(func.max(Snapshot.id)).where(Snapshot.tournament_id.is_(None))
    if game is not None:
        newest = newest.where(Snapshot.game == game)
    ids = newest.group_by(Snapshot.pool)
    query = (
        select(Snapshot)
        .where(Snapshot.id.in_(ids))
        .order_by(Snapshot.game, Snapshot.sets.desc(), Snapshot.pool)
        .options(defer(Snapshot.payload))
    )
    return list(session.scalars(query))


def with_payload(session: Session) -> list[Snapshot]:
    """The same of all games, with what stands in them."""
    ids = [snapshot.id for snapshot in newest_snapshots(session)]
    query = select(Snapshot).where(Snapshot.id.in_(ids)).options(undefer(Snapshot.payload))
    found = session.scalars(query.execution_options(populate_existing=True))
    return sorted(found, key=lambda snapshot: ids.index(snapshot.id))


def board(session: Session, game: str, pool: str | None = None) -> Board | None:
    """The newest ratings of a game (of its main pool unless named); None when there are none."""
    snapshots = newest_snapshots(session, game)
    if pool is not None:
        snapshots = [snapshot for snapshot in snapshots if snapshot.pool == pool]
        if not snapshots:
            raise NotFoundError("pool", pool, where="pool")
        main = newest_snapshots(session, game)[0].pool == pool
        return open_board(session, snapshots[0], main)
    return open_board(session, snapshots[0], True) if snapshots else None


def boards(session: Session) -> list[Board]:
    """The newest ratings of every pool."""
    found: list[Board] = []
    seen: set[str] = set()
    for snapshot in newest_snapshots(session):
        found.append(open_board(session, snapshot, snapshot.game not in seen))
        seen.add(snapshot.game)
    return found


def open_board(
    session: Session, snapshot: Snapshot, main: bool, known: Iterable[Version] | None = None
) -> Board:
    """Read the ratings of a snapshot and find who is rated in it, among the versions `known`."""
    ratings = Ratings.from_json(snapshot.payload)
    if known is None:
        return Board(snapshot, ratings, versions_labelled(session, ratings), main)
    rated = {row.player for row in ratings.rows}
    return Board(snapshot, ratings, {v.label: v for v in known if v.label in rated}, main)


def versions_labelled(session: Session, ratings: Ratings) -> dict[str, Version]:
    """The version behind every rated player; players are named by version labels."""
    wanted = {row.player for row in ratings.rows}
    names = {label.split("/")[-2] for label in wanted if "/" in label}
    query = select(Version).join(Bot).join(User).where(Bot.name.in_(names))
    return {version.label: version for version in session.scalars(query) if version.label in wanted}


def newest_numbers(session: Session, bots: set[int]) -> dict[int, int]:
    """Number of the newest admitted version of each bot."""
    query = (
        select(Version.bot_id, func.max(Version.number))
        .where(Version.bot_id.in_(bots), Version.state == VersionState.ADMITTED)
        .group_by(Version.bot_id)
    )
    return dict(session.execute(query).all())


def rows(session: Session, board: Board, newest_only: bool = False) -> list[LeaderboardRow]:
    """The lines of a leaderboard, best first within their group."""
    newest = newest_numbers(session, {version.bot_id for version in board.versions.values()})
    lines = []
    ordered = sorted(board.ratings.rows, key=lambda row: (row.pool, row.rank))
    for row, after in zip(ordered, [*ordered[1:], None], strict=True):
        version = board.versions.get(row.player)
        if version is None:
            continue
        is_newest = version.number >= newest.get(version.bot_id, 0)
        if is_newest or not newest_only:
            told = asdict(row)
            del told["player"]
            lines.append(
                LeaderboardRow(
                    **told,
                    bot=version.bot.label,
                    version=version.number,
                    version_id=version.id,
                    snapshot=board.snapshot.id,
                    newest=is_newest,
                    los=board.ratings.los(row.player, after.player) if after else None,
                )
            )
    return lines
