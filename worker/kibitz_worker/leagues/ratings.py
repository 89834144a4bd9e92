"""What newcomers of a league are rated at: the newest ratings of its pool."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.orm import Session

from kibitz_worker.publishing.snapshots import Target, newest
from kibitz_worker.store.models import League, Version


def ratings_of(
    session: Session, league: League, versions: Mapping[int, Version]
) -> dict[int, float]:
    """Return the Elo of versions that are rated in the pool of a league, by the same keys."""
    for snapshot in newest(session, Target(league.pool, None), 1):
        found = {row["player"]: float(row["elo"]) for row in snapshot.payload["rows"]}
        return {
            key: found[version.label] for key, version in versions.items() if version.label in found
        }
    return {}
