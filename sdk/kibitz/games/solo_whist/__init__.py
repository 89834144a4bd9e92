"""Solo Whist: an auction of contracts, then one player, or two partners, against the others."""

from kibitz.games.solo_whist.rules import SoloWhist

__all__ = ["SoloWhist"]
