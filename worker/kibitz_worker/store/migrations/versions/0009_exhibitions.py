"""Exhibitions, rematches, and entrants that leave a ladder."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KINDS = sa.Enum(
    "tournament",
    "exhibition",
    "rematch",
    name="tournamentkind",
    native_enum=False,
    length=16,
)


def upgrade() -> None:
    """Apply the step."""
    with op.batch_alter_table("tournaments") as batch:
        batch.add_column(sa.Column("kind", KINDS, nullable=False, server_default="tournament"))
        batch.add_column(sa.Column("replays", sa.String(length=48), nullable=True))
        batch.add_column(sa.Column("replayed_seat", sa.Integer(), nullable=True))
        batch.create_index("ix_tournaments_replays", ["replays"])
    op.add_column("entrants", sa.Column("left", types.Instant(timezone=True), nullable=True))


def downgrade() -> None:
    """Take the step back."""
    op.drop_column("entrants", "left")
    with op.batch_alter_table("tournaments") as batch:
        batch.drop_index("ix_tournaments_replays")
        for column in ("replayed_seat", "replays", "kind"):
            batch.drop_column(column)
