"""Who has which cards of Ottocento once they are played, and what has been declared."""

from kibitz.phases import NOBODY


class Piles:
    """Cards won by Declarer and Defenders, discards, who owes for the Fool, points declared.

    A value that copies of a deal share: what changes is a new one.
    """

    __slots__ = (
        "declared",
        "declared_against",
        "declarer",
        "defenders",
        "discards",
        "owing",
        "stock",
    )

    def __init__(
        self,
        declarer: int = 0,
        defenders: int = 0,
        discards: int = 0,
        owing: int = NOBODY,
        declared: int = 0,
        declared_against: int = 0,
        stock: int = 0,
    ) -> None:
        self.declarer, self.defenders, self.discards = declarer, defenders, discards
        self.owing, self.stock = owing, stock
        self.declared, self.declared_against = declared, declared_against

    def moved(self, declarer: int, defenders: int, discards: int, owing: int) -> "Piles":
        """Return the piles after cards went from one to another."""
        return Piles(
            declarer,
            defenders,
            discards,
            owing,
            self.declared,
            self.declared_against,
            self.stock,
        )

    def counting(self, declared: int, declared_against: int) -> "Piles":
        """Return the piles with so many points declared by either side."""
        return Piles(
            self.declarer,
            self.defenders,
            self.discards,
            self.owing,
            declared,
            declared_against,
            self.stock,
        )
