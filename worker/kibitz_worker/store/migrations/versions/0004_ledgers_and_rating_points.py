"""What deals tell beside their records, par, and the history of ratings."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step."""
    op.add_column("matches", sa.Column("ledger", types.PackedJson(), nullable=True))
    op.add_column("sets", sa.Column("par", types.PackedJson(), nullable=True))
    op.create_table(
        "rating_points",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("pool", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("version_id", ROW_ID, nullable=False),
        sa.Column("snapshot", ROW_ID, nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("elo", sa.Double(), nullable=False),
        sa.Column("elo_low", sa.Double(), nullable=False),
        sa.Column("elo_high", sa.Double(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("sets", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("before", sa.Double(), nullable=True),
        sa.Column("expected", sa.Double(), nullable=True),
        sa.Column("actual", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_rating_points_tournament_id_tournaments"),
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_rating_points_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_points")),
        sa.UniqueConstraint(
            "tournament_id",
            "round",
            "version_id",
            name=op.f("uq_rating_points_tournament_id_round_version_id"),
        ),
    )
    op.create_index("ix_rating_points_pool_version_id", "rating_points", ["pool", "version_id"])
    op.create_index("ix_rating_points_version_id", "rating_points", ["version_id"])
    op.create_index("ix_rating_points_snapshot", "rating_points", ["snapshot"])


def downgrade() -> None:
    """Take the step back."""
    op.drop_table("rating_points")
    op.drop_column("sets", "par")
    op.drop_column("matches", "ledger")
