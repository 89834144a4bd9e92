"""``random``: any legal action, each as likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.bot import Bot

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.view import View


class Random(Bot):
    """Takes any legal action."""

    name = "random"

    def play(self, view: View) -> Action:
        """Return one of the legal actions, each as likely as the others."""
        return view.legal[int(self.rng.random() * len(view.legal))]
