"""Records of matches, put together to the duplicate sets that they belong to."""

import json
from dataclasses import dataclass, field
from typing import Any

import kibitz

from kibitz_worker.ratings.errors import RatingError
from kibitz_worker.ratings.files.planned import Planned
from kibitz_worker.ratings.results import SetResult


@dataclass(slots=True)
class _Set:
    """Matches of one set: what each player won in them, seats of one player averaged."""

    wanted: int
    matches: int = 0
    deals: int = 0
    returns: dict[str, float] = field(default_factory=dict)
    margins: dict[str, float] = field(default_factory=dict)
    games: list[dict[str, float]] = field(default_factory=list)

    def add(self, data: dict[str, Any]) -> None:
        seats = data["seats"]
        part = {player: 1.0 / seats.count(player) for player in seats}
        self.matches += 1
        game: dict[str, float] = {}
        for player, value in zip(seats, data["returns"], strict=True):
            game[player] = game.get(player, 0.0) + value * part[player]
        self.games.append(game)
        for player, value in game.items():
            self.returns[player] = self.returns.get(player, 0.0) + value
        for deal in data["deals"]:
            mean = sum(deal["scores"]) / len(seats)
            self.deals += 1
            for player, score in zip(seats, deal["scores"], strict=True):
                surplus = (score - mean) * part[player]
                self.margins[player] = self.margins.get(player, 0.0) + surplus

    def result(self, name: str) -> SetResult:
        return SetResult(
            id=name,
            players=tuple(self.returns),
            scores=tuple(self.returns.values()),
            deals=self.deals,
            margins=tuple(self.margins.values()),
        )


class MatchRecords:
    """Collects records, of any number of files, and gives the whole sets among them.

    A record says by its key `set`, or `match` (`SET-NUMBER`), where it belongs; one without is a
    set of its own, as is one of a game that cannot be duplicated. Records are not replayed: `kibitz
    verify` does that.
    """

    def __init__(self) -> None:
        self._sets: dict[tuple[str, ...], _Set] = {}
        self._unfinished = self._alone = self._lonely = 0
        self._games: set[str] = set()
        self.matches: list[tuple[str, dict[str, Any]]] = []
        """Matches of sets with the names of their halves, as `luck.boards_of` takes them."""

    def add(self, name: str, text: str) -> None:
        """Take in a JSON object or JSON lines; raises RatingError `BAD_RECORD` with the line."""
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        try:
            json.loads(lines[0][1])
        except ValueError:
            lines = [(1, text)]
        for number, line in lines:
            where = f"{name}:{number}"
            try:
                record = kibitz.Record.from_json(line)
            except kibitz.KibitzError as error:
                raise RatingError("BAD_RECORD", f"{where}: {error}") from error
            self._take(name, where, record)

    def _take(self, name: str, where: str, record: kibitz.Record) -> None:
        data, game = record.data, record.game
        if data.get("returns") is None or data.get("unfinished"):
            self._unfinished += 1
            return
        players = sorted(set(data["seats"]))
        if len(players) < 2:
            self._alone += 1
            return
        self._games.add(json.dumps([game.name, game.options()], default=str))
        key = data.get("set")
        if key is None and isinstance(data.get("match"), str):
            key = data["match"].rpartition("-")[0] or None
        if key is None or not game.duplicable:
            self._lonely += 1
            self._sets[(where,)] = _Set(wanted=1)
            self._sets[(where,)].add(data)
            return
        identity = (name, str(key), *players)
        if identity not in self._sets:
            self._sets[identity] = _Set(wanted=len(kibitz.seatings(game)))
        self._sets[identity].add(data)
        half = ":".join((*identity, str(_half(key, data, game))))
        kept = ("dealer", "deck", "scores", "forfeit")
        deals = [{word: deal.get(word) for word in kept} for deal in data["deals"]]
        self.matches.append((half, {"seats": data["seats"], "deals": deals}))

    def sets(self) -> tuple[list[SetResult], list[str]]:
        """The whole sets, and notes on what was left out or is doubtful."""
        found = [one.result for one in self.planned() if one.result is not None]
        return found, self._notes(len(self._sets) - len(found))

    def planned(self) -> list[Planned]:
        """All sets, also those that are not complete."""
        return [
            Planned(
                file=key[0] if len(key) > 1 else "",
                name=key[1] if len(key) > 1 else key[0],
                players=frozenset(each.returns),
                result=each.result(":".join(key)) if each.matches == each.wanted else None,
                games=tuple(each.games),
                named=len(key) > 1,
            )
            for key, each in self._sets.items()
        ]

    def _notes(self, broken: int) -> list[str]:
        notes = {
            "sets left out: some of their matches are missing or there twice": broken,
            "matches left out: they are not finished": self._unfinished,
            "matches left out: one player played against itself": self._alone,
            "matches name no set: each counts by itself, luck of the cards included": self._lonely,
        }
        texts = [f"{number} {what}" for what, number in notes.items() if number]
        if len(self._games) > 1:
            texts.append(f"{len(self._games)} games or sets of options are rated together")
        return texts


def _half(key: object, data: dict[str, Any], game: kibitz.Game) -> object:
    """Which half of its set a match belongs to: as it says, or by its number in the set."""
    if "half" in data:
        return data["half"]
    number = str(data.get("match", "")).removeprefix(f"{key}-")
    return int(number) // game.players if number.isdecimal() else 0
