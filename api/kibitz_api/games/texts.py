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

EFFECTS = {
    "german_whist": {
        "follow1": "Whether suit must be followed in the first half too.",
        "count": "Tricks that decide the deal: those of the second half, or all.",
        "jokers": "Adds two Jokers (Honeymoon Whist).",
        "hand_score": "What a deal is worth: the win alone, or the tricks in one of three ways.",
        "end": "When a match is over.",
        "max_deals": "Ends a match played to a number of points at the latest.",
    },
    "whist": {
        "trump": "The last card turned up, or a suit that changes from deal to deal.",
        "cycle": "The suits in turn where trumps change from deal to deal.",
        "honours": "Whether holding the top trumps scores.",
        "end": "When a match is over.",
    },
    "whiskey": {
        "first_call": "Who calls first: the dealer, or the player on the dealer's left.",
        "end_passes": "Passes in a row that close an auction once there is a bid.",
        "end": "When a match is over.",
        "max_deals": "Ends a match played to a number of points at the latest.",
    },
    "solo_whist": {
        "deal": "The packets in which the cards are dealt.",
        "trump": "What gives the suit of the lower bids: a card, or a suit that changes.",
        "shuffle": "Whether the cards are shuffled for each deal, or gathered as they were played.",
        "prop": "Whether two players may play together by proposal and acceptance.",
        "prop_need": "Tricks that two partners must take.",
        "uncopped": "What happens to a proposal that nobody accepts.",
        "rounds": "Whether the auction goes on until it is settled or has one round.",
        "declared_trump": "Whether all thirteen tricks are played with trumps of one's choice.",
        "slams": "Bids of twelve and thirteen tricks in a named suit; payments doubled.",
        "overtricks": "The base payment where tricks over and under count, or 0.",
        "variant": "Bids of Solo, or of a number and a suit (Irish), for four or three.",
        "all_pass": "Who deals after a hand nobody plays.",
        "play_out": "Whether play stops as soon as the contract is decided.",
        "end": "When a match is over.",
    },
    "three_handed_whist": {
        "cut": "How the first round gets trumps: a card drawn by itself, or the dealer's last.",
        "name_trump": "Whether the dealer names trumps before or after exchanging.",
        "end": "Always all twelve deals.",
    },
    "whos_who": {
        "pack": "42 cards from ace to five and two Jokers, or the full pack.",
        "objective": "When the soloist succeeds; revised: a majority of tricks is enough too.",
        "end": "When a match is over.",
        "max_deals": "Ends a match played to a number of points at the latest.",
    },
    "ottocento": {
        "deal": "Cards for each player and in the stock.",
        "loss": "Whether the defenders share what the declarer loses, or get it each.",
        "pips": "The order of the low cards of cups and coins.",
        "end": "When a match is over.",
    },
}
