"""Decks that every player of a table met in every seat: the blocks of the design."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz_worker.ratings.errors import RatingError


@dataclass(frozen=True, slots=True)
class Board:
    """One deck under all seatings of its half of a set.

    `margins[player][seat]` is score minus table mean of the player (in the order of `players`) when
    it sat there; where two sides play, `seat` is 0 or 1 for the pairs of seats. `dealer` is the
    seat that dealt.
    """

    players: tuple[str, ...]
    dealer: int
    margins: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.players)
        if size < 2 or any(len(row) != size for row in (self.margins, *self.margins)):
            raise RatingError("BAD_BOARD", "a board needs a margin of each player in each seat")


def boards_of(matches: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[list[Board], int]:
    """Put together the boards from records of matches.

    Each match comes with the name of its half of a set; all lanes of a half play the same decks. A
    deal that was forfeited under any seating is left out, and so is a half with missing lanes; the
    second value counts these deals.
    """
    halves: dict[tuple[str, tuple[str, ...]], list[Mapping[str, Any]]] = {}
    for half, data in matches:
        players = tuple(sorted(set(data["seats"])))
        halves.setdefault((half, players), []).append(data)
    boards, left_out = [], 0
    for (_, players), lanes in halves.items():
        for deals in zip(*(lane["deals"] for lane in lanes), strict=False):
            board = _board(players, lanes, deals)
            boards += [board] if board else []
            left_out += board is None
    return boards, left_out


def _board(
    players: tuple[str, ...], lanes: list[Mapping[str, Any]], deals: tuple[Any, ...]
) -> Board | None:
    size = len(players)
    cells: dict[tuple[int, int], float] = {}
    for lane, deal in zip(lanes, deals, strict=True):
        if deal.get("forfeit") or deal["deck"] != deals[0]["deck"]:
            return None
        mean = sum(deal["scores"]) / len(deal["scores"])
        for seat in range(size):
            cell = players.index(lane["seats"][seat]), seat
            if cell in cells:
                return None
            cells[cell] = deal["scores"][seat] - mean
    if len(cells) != size * size:
        return None
    rows = (tuple(cells[player, seat] for seat in range(size)) for player in range(size))
    return Board(players, deals[0]["dealer"] % size, tuple(rows))
