"""Who judges calls, choices, discards and declarations, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from kibitz.bots import ottocento, solo_whist, three_handed_whist, whiskey, whos_who

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.deal import Deal
    from kibitz.view import View


class Judge(Protocol):
    """What a module of judgement has to say about decisions that are not cards."""

    def call(self, view: View) -> Action:
        """Return what is suggested to a seat, by what it knows."""

    def call_of(self, deal: Deal) -> Action:
        """Return what is suggested to whose turn it is, all cards being open."""

    def sensible(self, view: View) -> list[Action]:
        """Return what is worth a closer look."""


JUDGES = cast(
    "dict[str, Judge]",
    {
        "solo_whist": solo_whist,
        "three_handed_whist": three_handed_whist,
        "whiskey": whiskey,
        "whos_who": whos_who,
        "ottocento": ottocento,
    },
)
