"""Keys of requests that made something."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the step."""
    op.create_table(
        "creations",
        sa.Column("user_id", types.RowId, nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("asked", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("at", types.Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_creations_user_id_users")),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_creations")),
    )
    op.create_index("ix_creations_at", "creations", ["at"])


def downgrade() -> None:
    """Take the step back."""
    op.drop_table("creations")
