"""Priorities of tournaments, what follows when a bot stays away, and a log of interventions."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step."""
    for column in (
        sa.Column("priority", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("absence", sa.String(length=16), nullable=False, server_default="wait"),
        sa.Column("wait_seconds", sa.Integer(), nullable=False, server_default="0"),
    ):
        op.add_column("tournaments", column)
    op.create_table(
        "events",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("at", types.Instant(timezone=True), nullable=False),
        sa.Column("user_id", ROW_ID, nullable=True),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_events_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_subject", "events", ["subject"])


def downgrade() -> None:
    """Take the step back."""
    op.drop_index("ix_events_subject", table_name="events")
    op.drop_table("events")
    for column in ("wait_seconds", "absence", "priority"):
        op.drop_column("tournaments", column)
