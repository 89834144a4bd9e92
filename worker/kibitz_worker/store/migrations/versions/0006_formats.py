"""Formats with options and rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the step."""
    with op.batch_alter_table("tournaments") as batch:
        batch.add_column(
            sa.Column("format_options", sa.JSON(), nullable=False, server_default="{}")
        )
        batch.add_column(
            sa.Column("planned", sa.Boolean(), nullable=False, server_default=sa.true())
        )
        batch.add_column(
            sa.Column("one_owner", sa.Boolean(), nullable=False, server_default=sa.true())
        )
    with op.batch_alter_table("sets") as batch:
        batch.add_column(sa.Column("twin_id", sa.String(length=40), nullable=True))
        batch.create_foreign_key(op.f("fk_sets_twin_id_sets"), "sets", ["twin_id"], ["id"])


def downgrade() -> None:
    """Take the step back."""
    with op.batch_alter_table("sets") as batch:
        batch.drop_constraint(op.f("fk_sets_twin_id_sets"), type_="foreignkey")
        batch.drop_column("twin_id")
    with op.batch_alter_table("tournaments") as batch:
        for column in (
            "one_owner",
            "planned",
            "format_options",
        ):
            batch.drop_column(column)
