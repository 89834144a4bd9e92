"""Who played which part in a deal: declarer or defender, soloist or partner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.phases import NOBODY

if TYPE_CHECKING:
    from kibitz.deal import Deal
    from kibitz.game import Game

WORDS = {"whos_who": ("soloist", "ally", "partner")}
"""What the one alone, whoever plays with it, and the others are called, where not as usual."""

USUAL = ("declarer", "ally", "defender")
WITH_ROLES = frozenset({"whiskey", "solo_whist", "ottocento", "whos_who"})


def roles_in(game: Game) -> tuple[str, ...]:
    """Return the names of the parts that a game has, the declaring one first; none in most games.

    Examples:
        ``("declarer", "ally", "defender")`` in Solo Whist, ``("soloist", "partner")`` in Who's
        Who, ``()`` in Whist.
    """
    if game.name not in WITH_ROLES:
        return ()
    alone, ally, others = WORDS.get(game.name, USUAL)
    return (alone, ally, others) if game.name == "solo_whist" else (alone, others)


def roles(deal: Deal) -> tuple[str, ...]:
    """Return each seat's part in a deal; nothing where there are no parts, or nobody declared.

    The parts are those at the end of the auction (of the deal of the cards in Who's Who), so ask
    when the deal is over. Every seat that neither declared nor accepted to help is on the other
    side.
    """
    contract = deal.contract
    if deal.game.name not in WITH_ROLES or contract.declarer == NOBODY:
        return ()
    alone, ally, others = WORDS.get(deal.game.name, USUAL)
    named = {contract.partner: ally, contract.declarer: alone}
    return tuple(named.get(seat, others) for seat in range(deal.game.seats))
