"""What keeps lists short to read when there are millions of matches."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.parts import in_parts

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the step."""
    op.add_column("tournaments", sa.Column("tally", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("matches", sa.Column("tournament_id", sa.String(length=16), nullable=True))
    matches, sets = sa.table("matches"), sa.table("sets")
    for table in (matches, sets):
        for name in ("id", "set_id", "tournament_id", "forfeits"):
            table.append_column(sa.column(name))
    found = sa.select(sets.c.tournament_id).where(sets.c.id == matches.c.set_id)
    empty = sa.cast(matches.c.forfeits, sa.Text) == "[]"
    change = sa.update(matches).values(
        tournament_id=found.scalar_subquery(),
        forfeits=sa.case((empty, sa.null()), else_=matches.c.forfeits),
    )
    in_parts(op.get_bind(), matches, change, "bringing matches up to date")
    _note_tallies()
    op.drop_index("ix_matches_finished", table_name="matches")
    op.create_index("ix_matches_finished_id", "matches", ["finished", "id"])
    op.create_index(
        "ix_matches_tournament_id_finished_id", "matches", ["tournament_id", "finished", "id"]
    )
    faulty = sa.text("forfeits IS NOT NULL")
    op.create_index(
        "ix_matches_forfeited",
        "matches",
        ["tournament_id"],
        sqlite_where=faulty,
        postgresql_where=faulty,
    )
    op.create_index("ix_attempts_outcome_started", "attempts", ["outcome", "started"])


def _note_tallies() -> None:
    """Count the sets of the tournaments that are over."""
    tournaments = sa.table("tournaments", sa.column("id"), sa.column("state"))
    tournaments.append_column(sa.column("tally", sa.JSON()))
    sets = sa.table("sets", sa.column("tournament_id"), sa.column("state"))
    connection = op.get_bind()
    over = sa.select(tournaments.c.id).where(tournaments.c.state == "finished")
    for key in connection.scalars(over).all():
        states = (
            sa.select(sets.c.state, sa.func.count())
            .where(sets.c.tournament_id == key)
            .group_by(sets.c.state)
        )
        tally: dict[str, int] = dict(connection.execute(states).all())
        noted = sa.update(tournaments).where(tournaments.c.id == key).values(tally=tally)
        connection.execute(noted)


def downgrade() -> None:
    """Take the step back."""
    op.drop_index("ix_attempts_outcome_started", table_name="attempts")
    op.drop_index("ix_matches_forfeited", table_name="matches")
    op.drop_index("ix_matches_tournament_id_finished_id", table_name="matches")
    op.drop_index("ix_matches_finished_id", table_name="matches")
    op.create_index("ix_matches_finished", "matches", ["finished"])
    op.drop_column("matches", "tournament_id")
    op.drop_column("tournaments", "tally")
