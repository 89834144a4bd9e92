"""Words about the games: one-line summaries, and what the options do."""

SUMMARIES = {
    "german_whist": (
        "Two players win better cards from an open stock, then play thirteen tricks that count."
    ),
    "whist": "Two partnerships, a turned-up trump, no bidding: the whole game is in the play.",
    "whiskey": (
        "Three players bid for a dummy that opens card by card, then win or lose exactly that many."
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
}
