"""Deals of Solo Whist for the tests."""

import kibitz
from kibitz.games.solo_whist.rules import SoloWhist

PLAIN = SoloWhist()
SLAMS = SoloWhist(slams=True)
IRISH = SoloWhist(variant="irish")
THREE = SoloWhist(variant="irish3")


def after(calls: str, game: SoloWhist = PLAIN, dealer: int = 3) -> kibitz.Deal:
    """Return a deal after some calls; eldest is seat 0 in games for four."""
    cut = "QH" if game.needs_cut(0) else None
    deal = game.new_deal(kibitz.shuffle(game, 1), dealer, cut=cut)
    for call in calls.split():
        deal.play(call)
    return deal
