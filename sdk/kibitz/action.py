"""One action of a game: a number that knows its code and its card."""

from kibitz.cards import Pack


class Action(int):
    """An action of a game: a number that knows its code.

    ``code`` is the text of records and people (``QH``, ``bid:5``), and so is ``str(action)``.
    ``card`` is the card it plays, discards or shows, or ``None`` for a call; ``is_card`` is true
    for playing a card. ``suit`` (``"H"``), ``rank`` (``"Q"``) and ``strength`` (the order within
    the suit) are those of its card; a Joker has the suit ``None``.
    """

    code: str
    card: int | None
    is_card: bool
    suit: str | None
    rank: str | None
    strength: int

    def __new__(cls, number: int, code: str, card: int | None, pack: Pack) -> "Action":
        """Make the action; games do this once, in :class:`Actions`."""
        self = super().__new__(cls, number)
        self.code = code
        self.card = card
        self.is_card = number < len(pack.codes)
        self.suit = self.rank = None
        self.strength = -1
        if card is not None:
            suit = pack.suit[card]
            self.suit = pack.suits[suit] if suit < len(pack.suits) else None
            self.rank = pack.rank[card]
            self.strength = pack.strength[card]
        return self

    def __repr__(self) -> str:
        return self.code

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (int(self),)

    def __copy__(self) -> "Action":
        return self

    def __deepcopy__(self, memo: object) -> "Action":
        return self
