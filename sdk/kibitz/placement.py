"""Putting cards into groups of equal slots at random, where not every card fits every group."""

from random import Random
from typing import Final

from kibitz.cards import members
from kibitz.hidden import Hidden, Slot

SWAPS: Final = 6
"""Exchanges proposed per card that can move, from a start that is random already."""


class Placement:
    """The cards of unknown position, the groups of slots, and which may go with which.

    Cards that fit exactly the same slots are told apart by nothing, and slots that fit exactly the
    same cards are one group.
    """

    def __init__(self, hidden: Hidden, slots: list[Slot]) -> None:
        alike: dict[tuple[int, int, int], list[int]] = {}
        for slot in slots:
            alike.setdefault(slot[1:], []).append(slot.position)
        self.cards = hidden.cards
        columns: dict[int, list[int]] = {}
        for key, positions in alike.items():
            columns.setdefault(hidden.fitting(Slot(positions[0], *key)), []).extend(positions)
        self.groups = list(columns.values())
        fits = dict.fromkeys(self.cards, 0)
        for g, column in enumerate(columns):
            for card in members(column):
                fits[card] |= 1 << g
        self.fits = list(fits.values())
        self.movers = [i for i, fit in enumerate(self.fits) if fit & (fit - 1)]
        every = (1 << len(self.groups)) - 1
        self.free = all(fit == every for fit in self.fits)

    def sample(self, rng: Random, *, mixed: bool = True) -> dict[int, int] | None:
        """Return a card for each position, or ``None`` if no way was found.

        Without mixing it is any way, not one as likely as the others.
        """
        if self.free:
            cards = self.cards[:]
            rng.shuffle(cards)
            positions = [position for group in self.groups for position in group]
            return dict(zip(positions, cards, strict=True))
        home = self._start(rng)
        if home is None:
            return None
        if mixed:
            self._mix(home, rng)
        inside: list[list[int]] = [[] for _ in self.groups]
        for i, group in enumerate(home):
            inside[group].append(self.cards[i])
        placed: dict[int, int] = {}
        for positions, cards in zip(self.groups, inside, strict=True):
            rng.shuffle(cards)
            placed.update(zip(positions, cards, strict=True))
        return placed

    def _start(self, rng: Random) -> list[int] | None:
        # The most restricted cards first, each to a group in proportion to the room left there.
        room = [len(group) for group in self.groups]
        home = [-1] * len(self.cards)
        random = rng.random
        order = sorted(range(len(self.cards)), key=lambda i: (self.fits[i].bit_count(), random()))
        for i in order:
            fit = self.fits[i]
            options = [g for g, left in enumerate(room) if left and fit >> g & 1]
            if options:
                pick = random() * sum([room[g] for g in options])
                for g in options:
                    pick -= room[g]
                    if pick < 0:
                        break
                home[i] = g
                room[g] -= 1
            elif not self._make_room(i, home, room, rng):
                return None
        return home

    def _make_room(self, card: int, home: list[int], room: list[int], rng: Random) -> bool:
        # The shortest chain of moves, each card to the next group, up to a group with room.
        came: dict[int, tuple[int, int]] = {}  # group -> (card that would move there, its group)
        queue = [g for g in range(len(room)) if self.fits[card] >> g & 1]
        reached = set(queue)
        residents = list(range(len(home)))
        rng.shuffle(residents)
        while queue:
            group = queue.pop(0)
            if room[group]:
                room[group] -= 1
                while group in came:
                    moved, before = came[group]
                    home[moved] = group
                    group = before
                home[card] = group
                return True
            for i in residents:
                if home[i] == group:
                    for g in range(len(room)):
                        if g not in reached and self.fits[i] >> g & 1:
                            reached.add(g)
                            came[g] = (i, group)
                            queue.append(g)
        return False

    def _mix(self, home: list[int], rng: Random) -> None:
        # Exchange two cards, or send three round in a ring, wherever both or all may go.
        movers, fits, random = self.movers, self.fits, rng.random
        n = len(movers)
        for turn in range(SWAPS * n):
            i, j = movers[int(random() * n)], movers[int(random() * n)]
            a, b = home[i], home[j]
            if turn & 3:
                if a != b and fits[i] >> b & 1 and fits[j] >> a & 1:
                    home[i], home[j] = b, a
            else:
                k = movers[int(random() * n)]
                c = home[k]
                if i != k != j != i and fits[i] >> b & 1 and fits[j] >> c & 1 and fits[k] >> a & 1:
                    home[i], home[j], home[k] = b, c, a
