"""Leagues with divisions, members and seasons."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step."""
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("pool", sa.String(length=64), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("format_options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("sets_per_pairing", sa.Integer(), nullable=False),
        sa.Column("clock", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("policy", sa.String(length=40), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("one_owner", sa.Boolean(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("absence", sa.String(length=16), nullable=False),
        sa.Column("wait_seconds", sa.Integer(), nullable=False),
        sa.Column("cron", sa.String(length=120), nullable=True),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("starts", types.Instant(timezone=True), nullable=False),
        sa.Column("due", types.Instant(timezone=True), nullable=True),
        sa.Column("most_seasons", sa.Integer(), nullable=True),
        sa.Column("late", sa.String(length=16), nullable=False),
        sa.Column("joining", sa.String(length=16), nullable=False),
        sa.Column("newcomers", sa.String(length=16), nullable=False),
        sa.Column(
            "state",
            sa.Enum("running", "paused", "ended", name="leaguestate", native_enum=False, length=16),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("owner_id", ROW_ID, nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("ended", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_leagues_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
    )
    op.create_index("ix_leagues_game", "leagues", ["game"])
    op.create_index("ix_leagues_state", "leagues", ["state"])
    op.create_table(
        "divisions",
        sa.Column("league_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("movers", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_divisions_league_id_leagues")
        ),
        sa.PrimaryKeyConstraint("league_id", "number", name=op.f("pk_divisions")),
    )
    op.create_table(
        "seasons",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("league_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("due", types.Instant(timezone=True), nullable=False),
        sa.Column("made", types.Instant(timezone=True), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "preparing", "running", "closed", name="seasonstate", native_enum=False, length=16
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("closed", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_seasons_league_id_leagues")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint("league_id", "number", name=op.f("uq_seasons_league_id_number")),
    )
    op.create_index("ix_seasons_state", "seasons", ["state"])
    op.create_table(
        "members",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("league_id", sa.String(length=16), nullable=False),
        sa.Column("bot_id", ROW_ID, nullable=False),
        sa.Column("version_id", ROW_ID, nullable=True),
        sa.Column("division", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("since", types.Instant(timezone=True), nullable=False),
        sa.Column("joined", types.Instant(timezone=True), nullable=False),
        sa.Column("left", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_members_bot_id_bots")),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_members_league_id_leagues")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_members_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("league_id", "bot_id", name=op.f("uq_members_league_id_bot_id")),
    )
    op.create_index("ix_members_bot_id", "members", ["bot_id"])
    op.create_table(
        "season_divisions",
        sa.Column("season_id", ROW_ID, nullable=False),
        sa.Column("division", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["season_id"], ["seasons.id"], name=op.f("fk_season_divisions_season_id_seasons")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_season_divisions_tournament_id_tournaments"),
        ),
        sa.PrimaryKeyConstraint("season_id", "division", name=op.f("pk_season_divisions")),
        sa.UniqueConstraint("tournament_id", name=op.f("uq_season_divisions_tournament_id")),
    )
    op.create_table(
        "placings",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("season_id", ROW_ID, nullable=False),
        sa.Column("member_id", ROW_ID, nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("version_id", ROW_ID, nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("share", sa.Double(), nullable=True),
        sa.Column("margin", sa.Double(), nullable=True),
        sa.Column("sets", sa.Integer(), nullable=False),
        sa.Column(
            "moved",
            sa.Enum("up", "down", "stayed", "out", name="moved", native_enum=False, length=16),
            nullable=True,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_placings_member_id_members")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["seasons.id"], name=op.f("fk_placings_season_id_seasons")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_placings_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_placings")),
        sa.UniqueConstraint(
            "season_id", "division", "seed", name=op.f("uq_placings_season_id_division_seed")
        ),
        sa.UniqueConstraint("season_id", "member_id", name=op.f("uq_placings_season_id_member_id")),
    )
    op.create_index("ix_placings_member_id", "placings", ["member_id"])


def downgrade() -> None:
    """Take the step back."""
    op.drop_index("ix_placings_member_id", table_name="placings")
    op.drop_table("placings")
    op.drop_table("season_divisions")
    op.drop_index("ix_members_bot_id", table_name="members")
    op.drop_table("members")
    op.drop_index("ix_seasons_state", table_name="seasons")
    op.drop_table("seasons")
    op.drop_table("divisions")
    op.drop_index("ix_leagues_state", table_name="leagues")
    op.drop_index("ix_leagues_game", table_name="leagues")
    op.drop_table("leagues")
