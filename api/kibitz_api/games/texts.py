"""Words about the games: one-line summaries, and what the options do."""

SUMMARIES = {
    "german_whist": (
        "Two players win better cards from an open stock, then play thirteen tricks that count."
    ),
    "whist": "Two partnerships, a turned-up trump, no bidding: the whole game is in the play.",
    "solo_whist": (
        "Four players bid from a proposal for two up to all thirteen tricks, or none, against all."
    ),
    "three_handed_whist": (
        "Exchange cards and take a quota of tricks in twelve deals; in the last three, avoid them."
    ),
    "whiskey": (
        "Three players bid for a dummy that opens card by card, then win or lose exactly that many."
    ),
    "whos_who": (
        "The middle card wins, Jokers give tricks away, and nobody knows who plays with whom."
    ),
    "ottocento": (
        "The tarot of Bologna for three: combinations shown and won, and a Fool that excuses."
    ),
}

_END = "When a match is over: after so many deals, or when somebody has so many points."
_MAX_DEALS = "A match to a number of points ends after so many deals at the latest."

EFFECTS = {
    "german_whist": {
        "follow1": "Whether suit must be followed in the first half too.",
        "count": "Tricks that decide the deal: those of the second half (`stage2`), or all.",
        "jokers": "Adds two Jokers (Honeymoon Whist).",
        "hand_score": "What a deal is worth: one point, the difference of the tricks, those beyond"
        " six, or all of one's own.",
        "end": _END,
        "max_deals": _MAX_DEALS,
    },
    "whist": {
        "trump": "The suit of the last card, turned up, or suits in turn (`cycle`).",
        "cycle": "The suits in turn, with `trump=cycle`; NT is a deal without trumps.",
        "honours": "Whether the highest trumps score by themselves.",
        "end": "When a match is over: after so many deals, at so many points of a side, or when a"
        " side has two games of a rubber.",
    },
    "whiskey": {
        "first_call": "Who calls first: the dealer, or the player on the dealer's left.",
        "end_passes": "Passes in a row that close an auction once there is a bid.",
        "end": _END,
        "max_deals": _MAX_DEALS,
    },
    "solo_whist": {
        "deal": "Packets: four times three and then one; in each round one of four and three of"
        " three; or single cards.",
        "trump": "The turned suit: of the dealer's last card, of a card of a second pack, or"
        " hearts, clubs, diamonds, spades in turn (`cycle_nt`: and no trumps).",
        "shuffle": "Whether the cards are shuffled for each deal, only after an abundance or"
        " higher, or never again; otherwise they are gathered as they lie.",
        "prop": "Whether two may play together, by proposal and acceptance.",
        "prop_need": "Tricks that two partners must take.",
        "uncopped": "A proposal that nobody accepts: thrown in, or its maker may bid anything"
        " higher, or just a solo.",
        "rounds": "Whether the auction goes on until it is settled, or each calls once.",
        "declared_trump": "Trumps of an abundance declared: none, or the bidder names them.",
        "slams": "`petit` and `grand` in place of `declared`; all payments doubled.",
        "overtricks": "The units of a solo where tricks over and under count too; 0: they do not.",
        "variant": "The contracts of Solo, or Irish bids of a number and a suit, for four or"
        " three players.",
        "all_pass": "Who deals after a deal that was thrown in.",
        "play_out": "Whether play stops once the contract is decided, or all is played.",
        "end": "After how many deals a match is over.",
    },
    "three_handed_whist": {
        "cut": "What gives trumps in the first round: a card drawn by itself and put back, or the"
        " last card, which the dealer gets.",
        "name_trump": "Whether the dealer names trumps before or after exchanging cards.",
        "end": "Always all twelve deals.",
    },
    "whos_who": {
        "pack": "Cards down to the five, or all; with two Jokers each.",
        "objective": "When the soloist succeeds; `revised`: with a majority of tricks too.",
        "end": _END,
        "max_deals": _MAX_DEALS,
    },
    "ottocento": {
        "deal": "Cards for each player, and in the stock.",
        "loss": "Whether the defenders share what declarer loses, or each gets it.",
        "pips": "The order of the small cards of cups and coins.",
        "end": "After how many deals a match is over.",
    },
}
