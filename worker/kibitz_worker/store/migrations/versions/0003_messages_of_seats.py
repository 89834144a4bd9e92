"""Messages between bots and their seats."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step."""
    op.create_table(
        "seat_messages",
        sa.Column("match_id", sa.String(length=48), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version_id", ROW_ID, nullable=False),
        sa.Column("log", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("stored", types.Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_seat_messages_match_id_matches")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_seat_messages_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seat_messages")),
    )
    op.create_index("ix_seat_messages_stored", "seat_messages", ["stored"])
    op.create_index("ix_seat_messages_version_id", "seat_messages", ["version_id"])


def downgrade() -> None:
    """Take the step back."""
    op.drop_table("seat_messages")
