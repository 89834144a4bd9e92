"""Checking one set of an archive: decks, records, scores."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from kibitz.archive.contents import (
    ANNULLED,
    DONE,
    SELF_HOSTED,
    Entrant,
    Tournament,
    bad,
    take,
    take_list,
)
from kibitz.errors import ArchiveError, KibitzError
from kibitz.fair import Draw, Luck
from kibitz.match import Match, whole
from kibitz.record import Record
from kibitz.sets import Seating, seatings
from kibitz.totals import by_player, margins

NUMBER = (int, float)
Read = Callable[[str], bytes]


class SetCheck:
    """A set as an archive has it; :meth:`check` raises the first thing that is wrong.

    ``before`` are the pairings of the sets before it, by their numbers.

    Afterwards ``deals`` is how many deals each of its players has played, ``records`` are the
    files that belong to it.
    """

    def __init__(
        self, tournament: Tournament, data: dict[str, Any], read: Read, before: Mapping[int, int]
    ) -> None:
        self._tournament, self._data, self._read, self._before = tournament, data, read, before
        self.number: int = take(data, "number", int)
        self.pairing: int = take(data, "pairing", int)
        self.state: str = take(data, "state", str)
        self.records: list[str] = []
        self.forfeits: list[int] = []
        self.players: list[Entrant] = []

    @property
    def done(self) -> bool:
        """Whether the set was played to its end, and counts."""
        return self.state == DONE

    @property
    def partners(self) -> bool:
        """Whether each seat of a side has a player of its own."""
        return len(self.players) != self._tournament.game.players

    @property
    def scores(self) -> tuple[list[float], list[float], int]:
        """Returns and margins by player, and deals, as published."""
        data = self._data
        return data["scores"], data["margins"], data["deals"]

    def check(self) -> None:
        """Deal, replay and score the set anew, and compare it with what is published.

        Raises:
            ArchiveError: says what is wrong.
        """
        if self.pairing not in self._tournament.pairings:
            raise bad(f"there is no pairing {self.pairing}")
        self.players = self._tournament.players(self.pairing)
        found = take_list(self._data, "matches", dict, 64)
        orders = seatings(self._tournament.game, len(self.players))
        draw = self._draw()
        results: list[Match] = []
        for data in found:
            number = take(data, "number", int)
            if not 0 <= number < len(orders) or number != len(results):
                raise bad(f"match {number} is no match of such a set, or out of its order")
            results.append(self._match(data, orders[number], draw))
        if self.state in {DONE, ANNULLED}:
            if len(results) != len(orders):
                raise bad(f"a set has {len(orders)} matches, not {len(results)}", "MATCH_MISSING")
            self._compare_scores(results)
        elif take(self._data, "scores", (list, type(None))) is not None:
            raise bad(f"a set that is {self.state} has no scores", "WRONG_SCORES")

    def _draw(self) -> Draw:
        tournament = self._tournament
        number, players = self.number, self.players
        if self._data.get("cards") is not None:  # those of another set of the tournament
            cards = take(self._data, "cards", dict)
            number = take(cards, "set", int)
            if take(cards, "pairing", int) != self._before.get(number):
                text = f"no set before it is set {number} of pairing {cards['pairing']}"
                raise bad(f"its cards are not those of another set: {text}", "WRONG_DECKS")
            players = tournament.players(cards["pairing"])
        nonces = [entrant.nonce for entrant in players]
        return Draw(tournament.game, tournament.secret, tournament.id, number, nonces)

    def _match(self, data: dict[str, Any], seating: Seating, draw: Draw) -> Match:
        key = take(data, "id", str)
        where = f"match {key}"
        said = (take(data, "half", int), take(data, "lane", int))
        order = tuple(take_list(data, "seating", int, 16))
        if (*said, order) != tuple(seating):
            raise bad(f"{where}: seats are {order}, not {seating.order}", "WRONG_SEATS")
        if key != f"{take(self._data, 'id', str)}-{data['number']}":
            raise bad(f"{where}: the id does not fit the set", "WRONG_ID")
        name = f"records/{key}.json"
        self.records.append(name)
        content = self._read(name)
        if hashlib.sha256(content).hexdigest() != take(data, "record", str):
            raise bad(f"{where}: the record is not the one that was published", "RECORD_CHANGED")
        try:
            record = Record.from_json(content)
            match = record.verify()
        except KibitzError as error:
            raise ArchiveError(f"{where}: {error}", reason=error.reason) from error
        self._compare_record(where, record, order, draw, seating)
        self._compare_match(where, data, match)
        return match

    def _compare_record(
        self, where: str, record: Record, order: tuple[int, ...], draw: Draw, seating: Seating
    ) -> None:
        labels = [self.players[player].label for player in order]
        relabel = any(entrant.kind == SELF_HOSTED for entrant in self.players)
        decks = [Luck(deck=deal["deck"], cut=deal["cut"]) for deal in record.deals]
        drawn = draw.seated(seating, relabel, again=self._data.get("cards") is not None)
        for what, found, wanted, reason in (
            ("game or options", record.game, self._tournament.game, "WRONG_GAME"),
            ("players", record.seats, labels, "WRONG_PLAYERS"),
            ("decks", decks, drawn, "WRONG_DECKS"),
        ):
            if found != wanted:
                text = f"{where}: the record has other {what} than secret and entrants give"
                raise bad(text, reason)

    def _compare_match(self, where: str, data: dict[str, Any], match: Match) -> None:
        returns = match.returns
        if returns is None:
            raise bad(f"{where} was not played to its end", "UNFINISHED")
        for key, found in (
            ("returns", whole(returns)),
            ("totals", whole(match.totals)),
            ("margins", list(margins(match.results))),
        ):
            if take_list(data, key, NUMBER, 16) != found:
                text = f"{where}: {key} are {data[key]!r:.80}, the record gives {found!r:.80}"
                raise bad(text, "WRONG_SCORES")
        self._count_forfeits(where, data, match)

    def _count_forfeits(self, where: str, data: dict[str, Any], match: Match) -> None:
        found = [
            (number, played.forfeit["seat"], played.forfeit["reason"])
            for number, played in enumerate(match.played)
            if played.forfeit is not None
        ]
        said = [
            (take(one, "deal", int), take(one, "seat", int), take(one, "reason", str))
            for one in take_list(data, "forfeits", dict)
        ]
        if sorted(said) != found:
            raise bad(f"{where}: forfeits are not those of the record", "WRONG_FORFEITS")
        self.forfeits += [self.players[data["seating"][seat]].number for _, seat, _ in found]

    def _compare_scores(self, results: list[Match]) -> None:
        orders = [seating.order for seating in seatings(self._tournament.game, len(self.players))]
        returns = [whole(match.returns or ()) for match in results]
        for key, found in (
            ("scores", by_player(orders, returns)),
            ("margins", by_player(orders, [margins(match.results) for match in results])),
        ):
            if take_list(self._data, key, NUMBER, 16) != found:
                text = f"{key} are {self._data[key]!r:.80}, the records give {found!r:.80}"
                raise bad(text, "WRONG_SCORES")
        deals = sum(match.number for match in results)
        if take(self._data, "deals", int) != deals:
            raise bad(f"deals are {self._data['deals']}, not {deals}", "WRONG_SCORES")
