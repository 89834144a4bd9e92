"""Where the cards of a deck go when they are dealt."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from kibitz.events import STOCK, What, encode


class Layout:
    """Which positions of the deck each place is dealt, and which are the stock, top first.

    ``hands`` are pairs (place, positions) in dealing order. Positions in ``face_up`` are dealt for
    all to see. A place that is dealt cards but has no player, a dummy, has its cards seen by nobody.
    """

    __slots__ = ("deals", "face_up", "hands", "stock")

    def __init__(
        self,
        hands: Sequence[tuple[int, Iterable[int]]],
        stock: Iterable[int] = (),
        face_up: Iterable[int] = (),
    ) -> None:
        self.hands = tuple((place, tuple(positions)) for place, positions in hands)
        self.stock = tuple(stock)
        dealt = [position for _, positions in self.hands for position in positions]
        self.face_up = tuple(
            (dealt.index(position), place, position)
            for place, positions in self.hands
            for position in positions
            if position in set(face_up)
        )
        self.deals = tuple(
            (place, itemgetter(*positions), encode(What.DEALT, place, 0, to=place).__add__)
            for place, positions in self.hands
        )

    def dealt(self) -> list[tuple[int, int]]:
        """Return (place, position) for each card in the order of the deal's first events."""
        return [(place, position) for place, positions in self.hands for position in positions]

    def __repr__(self) -> str:
        return f"Layout({self.hands}, {STOCK}: {self.stock})"
