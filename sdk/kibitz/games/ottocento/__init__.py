"""Ottocento for three (Tarocchino Bolognese): combinations declared and counted, 62 cards."""

from kibitz.games.ottocento.rules import Ottocento

__all__ = ["Ottocento"]
