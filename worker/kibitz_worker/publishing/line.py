"""Who descends from whom, who belongs to whom, and who is the same bot under two names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.ratings.lineage import newest_of
from kibitz_worker.store.models import Bot, BotKind, Version

ANCHOR = "careful"


def anchor_of(players: Iterable[str]) -> str:
    """The label of the newest version of the bot `careful` among the players."""
    return newest_of(ANCHOR, players) or f"{ANCHOR}/1"


def parents_of(labels: Iterable[str]) -> dict[str, str]:
    """For each version but the first of its bot the one before it, among the labels given."""
    numbers: dict[str, list[int]] = {}
    for label in labels:
        bot, _, number = label.rpartition("/")
        numbers.setdefault(bot, []).append(int(number))
    return {
        f"{bot}/{child}": f"{bot}/{parent}"
        for bot, found in numbers.items()
        for parent, child in zip(sorted(found), sorted(found)[1:], strict=False)
    }


def owners_of(labels: Iterable[str]) -> dict[str, str]:
    """The owner of each version of a user's bot; bots of the house have none."""
    return {label: label.partition("/")[0] for label in labels if label.count("/") == 2}


def twins_of(session: Session, labels: Collection[str]) -> list[tuple[str, str]]:
    """Pairs of players of different bots that have the same content (or run the same house bot)."""
    names = {label.split("/")[-2] for label in labels}
    query = (
        select(Version)
        .join(Bot)
        .where(Bot.name.in_(names), Bot.kind != BotKind.SELF_HOSTED)
        .order_by(Version.id)
    )
    same: dict[str, list[Version]] = {}
    for version in session.scalars(query):
        if version.label in labels:
            same.setdefault(version.spec or version.content_hash, []).append(version)
    newest = ({v.bot_id: v.label for v in versions} for versions in same.values())
    return [
        (min(pair), max(pair)) for bots in newest for pair in combinations(sorted(bots.values()), 2)
    ]
