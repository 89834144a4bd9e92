"""Who meets whom, how often, and with which cards; pure, the same input gives the same plan."""

from kibitz_worker.schedule.blocks import balanced_blocks, fair_tables
from kibitz_worker.schedule.decks import bot_seed, commitment, new_secret
from kibitz_worker.schedule.tables import PlannedSet, plan_sets, round_robin

__all__ = [
    "PlannedSet",
    "balanced_blocks",
    "bot_seed",
    "commitment",
    "fair_tables",
    "new_secret",
    "plan_sets",
    "round_robin",
]
