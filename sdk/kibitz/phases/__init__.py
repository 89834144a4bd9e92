"""The kinds of decisions that deals are made of."""

from kibitz.phases.auction import Auction, Call
from kibitz.phases.choice import Choice
from kibitz.phases.declare import Declare
from kibitz.phases.exchange import Exchange
from kibitz.phases.phase import NOBODY, Phase, Scored
from kibitz.phases.trick import Trick

__all__ = ["NOBODY", "Auction", "Call", "Choice", "Declare", "Exchange", "Phase", "Scored", "Trick"]
