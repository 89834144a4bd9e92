"""The first tables."""

import sqlalchemy as sa
from alembic import op
from kibitz_worker.store.models import table as types

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step."""
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("queue", sa.String(length=40), nullable=False),
        sa.Column("job", sa.String(length=80), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("sent", types.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("job", name=op.f("uq_outbox_job")),
    )
    op.create_index("ix_outbox_sent", "outbox", ["sent"])

    op.create_table(
        "users",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        sa.Column("sandbox", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("started", types.Instant(timezone=True), nullable=False),
        sa.Column("seen", types.Instant(timezone=True), nullable=False),
        sa.Column("stopped", types.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )
    op.create_table(
        "bots",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("owner_id", ROW_ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column(
            "kind",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_bots_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_bots_owner_id_name")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("user_id", ROW_ID, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("revoked", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("sha256", name=op.f("uq_tokens_sha256")),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"])

    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("pool", sa.String(length=64), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("sets_per_pairing", sa.Integer(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("policy", sa.String(length=40), nullable=False),
        sa.Column(
            "state",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("owner_id", ROW_ID, nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("started", types.Instant(timezone=True), nullable=True),
        sa.Column("finished", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name=op.f("fk_tournaments_owner_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index("ix_tournaments_game", "tournaments", ["game"])
    op.create_index("ix_tournaments_pool", "tournaments", ["pool"])
    op.create_index("ix_tournaments_state", "tournaments", ["state"])

    op.create_table(
        "pairings",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_pairings_tournament_id_tournaments"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pairings")),
        sa.UniqueConstraint(
            "tournament_id", "number", name=op.f("uq_pairings_tournament_id_number")
        ),
    )
    op.create_table(
        "snapshots",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("pool", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=True),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("sets", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("payload", types.PackedJson(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_snapshots_tournament_id_tournaments"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshots")),
    )
    op.create_index("ix_snapshots_game_id", "snapshots", ["game", "id"])
    op.create_index("ix_snapshots_pool_id", "snapshots", ["pool", "id"])
    op.create_index("ix_snapshots_tournament_id_id", "snapshots", ["tournament_id", "id"])

    op.create_table(
        "versions",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("bot_id", ROW_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("spec", sa.Text(), nullable=True),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column(
            "state",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("log", sa.Text(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column("admitted", types.Instant(timezone=True), nullable=True),
        sa.Column("token_id", ROW_ID, nullable=True),
        sa.Column("seen", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id_bots")),
        sa.ForeignKeyConstraint(
            ["token_id"], ["tokens.id"], name=op.f("fk_versions_token_id_tokens")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "content_hash", name=op.f("uq_versions_bot_id_content_hash")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
    )
    op.create_index("ix_versions_state", "versions", ["state"])

    op.create_table(
        "admissions",
        sa.Column("version_id", ROW_ID, nullable=False),
        sa.Column("created", types.Instant(timezone=True), nullable=False),
        sa.Column(
            "state",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due", types.Instant(timezone=True), nullable=True),
        sa.Column("job", sa.String(length=80), nullable=True),
        sa.Column("lease_token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", types.Instant(timezone=True), nullable=True),
        sa.Column("worker", sa.String(length=80), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("finished", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_admissions_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_admissions")),
    )
    op.create_table(
        "entrants",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", ROW_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_entrants_tournament_id_tournaments"),
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_entrants_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entrants")),
        sa.UniqueConstraint(
            "tournament_id", "number", name=op.f("uq_entrants_tournament_id_number")
        ),
        sa.UniqueConstraint(
            "tournament_id", "version_id", name=op.f("uq_entrants_tournament_id_version_id")
        ),
    )
    op.create_index("ix_entrants_version_id", "entrants", ["version_id"])

    op.create_table(
        "sets",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("pairing_id", ROW_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=True),
        sa.Column("margins", sa.JSON(), nullable=True),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due", types.Instant(timezone=True), nullable=True),
        sa.Column("job", sa.String(length=80), nullable=True),
        sa.Column("lease_token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", types.Instant(timezone=True), nullable=True),
        sa.Column("worker", sa.String(length=80), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("finished", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["pairing_id"], ["pairings.id"], name=op.f("fk_sets_pairing_id_pairings")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_sets_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sets")),
        sa.UniqueConstraint("tournament_id", "number", name=op.f("uq_sets_tournament_id_number")),
    )
    op.create_index("ix_sets_pairing_id", "sets", ["pairing_id"])
    op.create_index("ix_sets_state_due", "sets", ["state", "due"])
    op.create_index("ix_sets_tournament_id_state", "sets", ["tournament_id", "state"])

    op.create_table(
        "attempts",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("set_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("job", sa.String(length=80), nullable=True),
        sa.Column("worker", sa.String(length=80), nullable=False),
        sa.Column("started", types.Instant(timezone=True), nullable=False),
        sa.Column("ended", types.Instant(timezone=True), nullable=True),
        sa.Column(
            "outcome",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("blame_version_id", ROW_ID, nullable=True),
        sa.Column("log", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["blame_version_id"],
            ["versions.id"],
            name=op.f("fk_attempts_blame_version_id_versions"),
        ),
        sa.ForeignKeyConstraint(["set_id"], ["sets.id"], name=op.f("fk_attempts_set_id_sets")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sa.UniqueConstraint("set_id", "number", name=op.f("uq_attempts_set_id_number")),
    )
    op.create_index("ix_attempts_blame_version_id", "attempts", ["blame_version_id"])

    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("set_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("half", sa.Integer(), nullable=False),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("seating", sa.JSON(), nullable=False),
        sa.Column(
            "state",
            sa.String(length=16),
            nullable=False,
        ),
        sa.Column("decks", types.PackedJson(), nullable=False),
        sa.Column("returns", sa.JSON(), nullable=True),
        sa.Column("totals", sa.JSON(), nullable=True),
        sa.Column("margins", sa.JSON(), nullable=True),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.JSON(), nullable=True),
        sa.Column("penalties", sa.JSON(), nullable=True),
        sa.Column("record", types.PackedText(), nullable=True),
        sa.Column("record_hash", sa.String(length=64), nullable=True),
        sa.Column("attempt_id", ROW_ID, nullable=True),
        sa.Column("finished", types.Instant(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_matches_attempt_id_attempts")
        ),
        sa.ForeignKeyConstraint(["set_id"], ["sets.id"], name=op.f("fk_matches_set_id_sets")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("set_id", "number", name=op.f("uq_matches_set_id_number")),
    )
    op.create_index("ix_matches_finished", "matches", ["finished"])


def downgrade() -> None:
    """Take the step back."""
    op.drop_table("matches")
    op.drop_table("attempts")
    op.drop_table("sets")
    op.drop_table("entrants")
    op.drop_table("admissions")
    op.drop_table("versions")
    op.drop_table("snapshots")
    op.drop_table("pairings")
    op.drop_table("tournaments")
    op.drop_table("tokens")
    op.drop_table("bots")
    op.drop_table("workers")
    op.drop_table("users")
    op.drop_table("outbox")
    op.drop_table("meta")
