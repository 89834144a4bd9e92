"""What owners of bots add to the luck of their sets."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the step."""
    with op.batch_alter_table("entrants") as table:
        table.add_column(sa.Column("nonce", sa.String(length=64), nullable=True))


def downgrade() -> None:
    """Take the step back."""
    with op.batch_alter_table("entrants") as table:
        table.drop_column("nonce")
