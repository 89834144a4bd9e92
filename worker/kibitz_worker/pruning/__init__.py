"""Forgetting what is old: records that an archive holds, messages, logs, snapshots of ratings.

Results, decks and ledgers stay, so neither standings nor ratings know of it.
"""
