"""Sets of a tournament are counted and their deals added up without reading their rows."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the step."""
    columns = ["tournament_id", "state", "deals"]
    op.create_index("ix_sets_tournament_id_state_deals", "sets", columns)
    op.drop_index("ix_sets_tournament_id_state", table_name="sets")


def downgrade() -> None:
    """Take the step back."""
    op.create_index("ix_sets_tournament_id_state", "sets", ["tournament_id", "state"])
    op.drop_index("ix_sets_tournament_id_state_deals", table_name="sets")
