"""Where the cards of a deck go when they are dealt, and who is told."""

from collections.abc import Iterable, Sequence

from kibitz.events import What, encode

Secret = tuple[int, int]
"""The number of an event, and its code as only one player sees it."""


class Layout:
    """Which positions of the deck each place is dealt, and which are the stock, top first.

    ``hands`` are pairs (place, positions) in dealing order. Positions in ``face_up`` are dealt for
    all to see. Nobody sees the cards that are dealt to a dummy.
    """

    __slots__ = ("_numbers", "_order", "_parts", "face_up", "hands", "stock", "told")

    def __init__(
        self,
        hands: Sequence[tuple[int, Iterable[int]]],
        stock: Iterable[int] = (),
        face_up: Iterable[int] = (),
    ) -> None:
        self.hands = tuple((place, tuple(positions)) for place, positions in hands)
        self.stock = tuple(stock)
        dealt = self.dealt()
        order = [position for _, position in dealt]
        self.told = [encode(What.DEALT, place) for place, _ in dealt]
        self.face_up = tuple((order.index(one), dealt[order.index(one)][0], one) for one in face_up)
        self._numbers = {
            place: [i for i, (one, _) in enumerate(dealt) if one == place]
            for place, _ in self.hands
        }
        self._order = bytes([*order, *self.stock])
        self._parts: list[tuple[int, int, int]] = []
        for place, positions in self.hands:
            start = self._parts[-1][2] if self._parts else 0
            self._parts.append((place, start, start + len(positions)))

    def dealt(self) -> list[tuple[int, int]]:
        """Return (place, position) for each card in the order of the deal's first events."""
        return [(place, position) for place, positions in self.hands for position in positions]

    def divide(self, deck: bytes, places: int) -> tuple[list[bytes], tuple[int, ...]]:
        """Return the cards that each of so many places is dealt, in order, and the stock."""
        dealt = self._order.translate(deck.ljust(256))  # the card at each position, all at once
        hands = [b""] * places
        for place, start, end in self._parts:
            hands[place] = dealt[start:end]
        return hands, tuple(dealt[len(self.told) :])

    def secrets(self, cards: Sequence[int], place: int) -> list[Secret]:
        """Return the number and code of each event of the deal as the player of a place sees it."""
        code = encode(What.DEALT, place, 0)
        return [
            (index, code + card)
            for index, card in zip(self._numbers.get(place, ()), cards, strict=True)
        ]

    def __repr__(self) -> str:
        return f"Layout({self.hands}, stock={self.stock})"
