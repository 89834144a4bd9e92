"""Leagues: seasons by a calendar, divisions, promotion and relegation."""
