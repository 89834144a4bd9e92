"""Which positions of the deck held the cards that others laid away unseen."""

from itertools import groupby
from math import comb, perm
from random import Random
from typing import Final, NamedTuple

from kibitz.events import Event, What
from kibitz.hidden import Hidden, Slot

EXCHANGES: Final = 12
"""Changes of roles proposed per card that all have seen."""


class Batch(NamedTuple):
    """Some discards of one place with no draw between them, by the numbers of their events."""

    place: int
    times: tuple[int, ...]


def batches(events: list[Event], seat: int) -> list[Batch]:
    """Return the discards that a seat has not seen."""
    found: list[Batch] = []
    places = {event.place for event in events if event.what is What.DISCARDED} - {seat}
    for place in sorted(places):
        own = [
            (event.what is What.DISCARDED, when)
            for when, event in enumerate(events)
            if event.place == place and event.what in (What.DISCARDED, What.DEALT)
        ]
        for discards, run in groupby(own, key=lambda one: one[0]):
            if discards:
                found.append(Batch(place, tuple(when for _, when in run)))
    return found


def choose(hidden: Hidden, discards: list[Batch], rng: Random) -> dict[int, int] | None:
    """Return, for positions laid away, the number of the event; ``None`` if that cannot be.

    How many of them are cards that all had seen before is drawn by the number of ways in which the
    cards seen later still find room in the hand.
    """
    until: dict[int, int] = {}
    for place, times in discards:
        own = [slot for slot in hidden.slots if slot.place == place and slot.position not in until]
        held = [slot for slot in own if slot.since < times[0]]
        shown = [
            (slot, card)
            for slot, card in hidden.open
            if slot.place == place and slot.since < times[0] and slot.position not in until
        ]
        may = [one for one in shown if hidden.may_leave(*one, times[0])]
        must = [one for one in may if not hidden.fits(one[1], one[0])]
        picked = _pick(hidden, place, times, (own, held), (may, must), rng)
        if picked is None:
            return None
        when = list(times)
        rng.shuffle(when)
        until.update(zip(picked, when, strict=True))
    return until


Known = list[tuple[Slot, int]]


def _pick(
    hidden: Hidden,
    place: int,
    times: tuple[int, ...],
    slots: tuple[list[Slot], list[Slot]],
    known: tuple[Known, Known],
    rng: Random,
) -> list[int] | None:
    own, held = slots
    may, must = known
    free = [slot.position for slot, card in may if (slot, card) not in must]
    stay = sum(seen.place == place and seen.until > times[0] for seen in hidden.seen.values())
    wanted = len(times) - len(must)
    can, given, loose = _loose(hidden, place)
    ways = [
        comb(len(free), wanted - n)
        * comb(len(held), n)
        * perm(len(own) - n, stay)
        * perm(n, given)
        * (perm(can, n - given) / perm(loose, n - given) if given <= n <= given + loose else 0)
        if 0 <= wanted - n <= len(free) and n <= len(held) and len(own) - n >= stay
        else 0
        for n in range(max(0, wanted) + 1)
    ]
    if wanted < 0 or not any(ways):
        return None
    n = rng.choices(range(len(ways)), ways)[0]
    return [
        *(slot.position for slot, _ in must),
        *rng.sample(free, wanted - n),
        *rng.sample([slot.position for slot in held], n),
    ]


def _loose(hidden: Hidden, place: int) -> tuple[int, int, int]:
    """Return how many unknown cards may be laid away, were given by a place, and are anywhere."""
    given = [card for card in hidden.cards if hidden.given.get(card) == place]
    loose = [card for card in hidden.cards if card not in hidden.seen and card not in given]
    can = hidden.layable.get(place, 0)
    return sum(can >> card & 1 for card in loose), len(given), len(loose)


def exchange_roles(
    hidden: Hidden,
    placed: dict[int, int],
    until: dict[int, int],
    discards: list[Batch],
    rng: Random,
) -> None:
    """Let cards that all have seen and others of a place change roles: one is kept, one laid away.

    How many of the former are laid away is first drawn without regard to what the others can be in
    the hand; these exchanges, of which each is as likely as the way back, put that right.
    """
    for place, times in discards:
        known = [one for one in hidden.open if one[0].place == place and one[0].since < times[0]]
        own = [slot for slot in hidden.slots if slot.place == place and slot.since < times[0]]
        roles = {None, *times}
        for _ in range(EXCHANGES * len(known) if own else 0):
            (slot, card), other = rng.choice(known), rng.choice(own)
            gone, left = until.get(slot.position), until.get(other.position)
            if (gone is None) == (left is None) or not {gone, left} <= roles:
                continue
            leaves = hidden.may_leave(slot, card, times[0]) if left else hidden.fits(card, slot)
            role = other._replace(until=times[0]) if gone else other
            if leaves and hidden.fits(placed[other.position], role):
                for position, when in ((slot.position, left), (other.position, gone)):
                    until.pop(position, None)
                    if when is not None:
                        until[position] = when


def with_departures(slots: list[Slot], until: dict[int, int], discards: list[Batch]) -> list[Slot]:
    """Return slots with the time at which their cards were laid away: that of the batch's first.

    Within a batch the hand has done nothing else, so these slots are alike in what fits them.
    """
    first = {when: times[0] for _, times in discards for when in times}
    return [
        Slot(slot.position, slot.place, slot.since, first[until[slot.position]])
        if slot.position in until
        else slot
        for slot in slots
    ]
