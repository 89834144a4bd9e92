"""Records of matches: enough to replay and check a match without the program that wrote it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz import reading
from kibitz.deal import Deal
from kibitz.errors import KibitzError, RecordError
from kibitz.games import game_from_options
from kibitz.match import Match, whole
from kibitz.remark import checked_policy
from kibitz.seal import check_seal

if TYPE_CHECKING:
    from kibitz.game import Game

FORMAT = "kibitz-record/1"


class Record:
    """The record of one match, format ``kibitz-record/1``.

    ``data`` is the whole JSON object, unknown keys included; it is checked for form when the record
    is made, and for truth by :meth:`verify`.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        """Check the form of a record.

        Raises:
            RecordError: a key is missing, or a value has the wrong type.
        """
        reading.check(data, FORMAT)
        self.data = data
        try:
            self.game: Game = game_from_options(data["game"], data["options"])
        except KibitzError as error:
            raise RecordError(f"options: {error}", reason=error.reason) from error
        missing = [key for key in self.game.options() if key not in data["options"]]
        if missing:
            raise RecordError(f"options: {missing[0]} is missing; a record holds every option")
        if len(data["seats"]) != self.game.seats:
            raise RecordError(f"seats: {self.game.name} has {self.game.seats} seats")
        for index, deal in enumerate(data["deals"]):
            reading.check_seats(deal, index, self.game.seats)

    @classmethod
    def of(cls, match: Match, extra: dict[str, Any]) -> "Record":
        """Return the record of a match as far as it has been played."""
        returns = match.returns
        data: dict[str, Any] = {
            "format": FORMAT,
            "game": match.game.name,
            "options": match.game.options(),
            "seats": list(match.seats),
            "deals": [played.to_json() for played in match.played],
            "totals": whole(match.totals),
            "returns": None if returns is None else whole(returns),
        }
        if returns is None:
            data["unfinished"] = True
        record = cls.__new__(cls)  # a match makes no bad record: nothing is left to check
        record.data = {**data, **{key: extra[key] for key in extra if key not in data}}
        record.game = match.game
        return record

    @property
    def seats(self) -> list[str]:
        """The names of the players, by seat."""
        return list(self.data["seats"])

    @property
    def deals(self) -> list[dict[str, Any]]:
        """The deals as written: number, dealer, deck, cut, actions, scores, perhaps forfeit."""
        return list(self.data["deals"])

    @property
    def totals(self) -> list[float]:
        """The sums of the deals' scores, by seat."""
        return list(self.data["totals"])

    @property
    def returns(self) -> list[float] | None:
        """The zero-sum result by seat, or ``None`` for a broken-off match."""
        returns = self.data["returns"]
        return None if returns is None else list(returns)

    @property
    def unfinished(self) -> bool:
        """Whether the match was broken off."""
        return self.data.get("unfinished", False) is True

    # Files and texts.

    @classmethod
    def load(cls, source: str | Path) -> "Record":
        """Read a record from a file, or from a text that begins with ``{``.

        Raises:
            RecordError: it cannot be read, is too large, is not JSON or is no record.
        """
        if isinstance(source, str) and source.lstrip()[:1] == "{":
            return cls.from_json(source)
        return cls.from_json(reading.read_file(Path(source)))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """Read a record from its JSON text.

        Raises:
            RecordError: it is not JSON or is no record.
        """
        return cls(reading.parse(text))

    def to_json(self, indent: int | None = None) -> str:
        """Return the record as JSON text."""
        return json.dumps(self.data, ensure_ascii=False, indent=indent, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Write the record to a file; an earlier file stays whole until the new one is complete.

        Raises:
            RecordError: it cannot be written.
        """
        reading.write_file(Path(path), self.to_json() + "\n")

    # Replaying.

    def replay(self, index: int, actions: int | None = None) -> Deal:
        """Return a deal of the match as it stood after its actions, or the first few of them.

        Raises:
            IndexError: the record has no such deal.
            RecordError: the record is wrong up to there; says where.
        """
        if not 0 <= index < len(self.data["deals"]):
            raise IndexError(f"the record has {len(self.data['deals'])} deals")
        match = Match(self.game, self.seats)
        for number in range(index):
            self._replay_deal(match, number)
        deal = self._deal(match, index)
        self._play(deal, index, actions)
        return deal

    def verify(self) -> Match:
        """Deal again, replay and score the whole match; return it as replayed.

        Raises:
            RecordError: says the first thing that is wrong, by deal and action.
        """
        match = Match(self.game, self.seats)
        for number in range(len(self.data["deals"])):
            self._replay_deal(match, number)
        _compare("totals", self.data["totals"], whole(match.totals))
        returns = match.returns
        if returns is None and not self.unfinished:
            raise RecordError(
                f"the match is not over after {match.number} deals, and the record does not say"
                ' "unfinished": true'
            )
        if returns is not None and self.unfinished:
            raise RecordError(f"the match is over after {match.number} deals, not unfinished")
        _compare("returns", self.data["returns"], None if returns is None else whole(returns))
        check_seal(self.data, match)
        return match

    def _deal(self, match: Match, index: int) -> Deal:
        written = self.data["deals"][index]
        for key, found in (("number", match.number), ("dealer", match.dealer)):
            _compare(key, written[key], found, index)
        try:
            return match.new_deal(written["deck"], written["cut"])
        except KibitzError as error:
            message = f"deal {index}: {error}"
            raise RecordError(message, deal=index, reason=error.reason) from error

    def _play(self, deal: Deal, index: int, count: int | None = None) -> None:
        written = self.data["deals"][index]
        policies = dict(written.get("policies", ()))
        for number, (seat, code) in enumerate(written["actions"][:count]):
            try:
                if number in policies:
                    _check_policy(policies[number], deal, code)
                if seat != deal.turn:
                    turn = "the deal is over" if deal.over else f"it is seat {deal.turn}'s turn"
                    raise RecordError(f"{code} by seat {seat}, but {turn}", reason="WRONG_TURN")
                deal.play(code)
            except KibitzError as error:
                raise RecordError(
                    f"deal {index}, action {number}: {error}",
                    deal=index,
                    action=number,
                    reason=error.reason,
                ) from error

    def _replay_deal(self, match: Match, index: int) -> None:
        written = self.data["deals"][index]
        deal = self._deal(match, index)
        self._play(deal, index)
        forfeit = written.get("forfeit")
        try:
            if forfeit is None:
                match.finish(deal)
            else:
                match.forfeit(deal, forfeit["seat"], forfeit["reason"])
        except KibitzError as error:
            raise RecordError(f"deal {index}: {error}", deal=index, reason=error.reason) from error
        _compare("scores", written["scores"], whole(match.results[-1]), index)


def _check_policy(policy: list[float], deal: Deal, code: str) -> None:
    codes = deal.codes()
    if code in codes:  # if not, the action itself is what is wrong
        checked_policy(policy, len(codes), codes.index(code))


def _compare(key: str, written: object, found: object, deal: int | None = None) -> None:
    if written != found:
        where = "" if deal is None else f"deal {deal}: "
        raise RecordError(
            f"{where}{key} is {written!r:.200}, but the replay gives {found!r:.200}",
            deal=deal,
            reason=f"WRONG_{key.upper()}",
        )
