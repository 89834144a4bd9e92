"""Duplicate sets and decks."""

import hashlib
import hmac
from collections import Counter
from itertools import permutations
from typing import Any

import kibitz
import pytest
from kibitz.sets import halves
from kibitz.shuffle import Stream, cut_from_key


def test_two_seats_are_played_both_ways() -> None:
    assert kibitz.seatings(kibitz.game("german_whist")) == ((0, 0, (0, 1)), (0, 1, (1, 0)))


def test_two_sides_are_exchanged() -> None:
    game = kibitz.game("whist")
    assert kibitz.seatings(game) == ((0, 0, (0, 1, 0, 1)), (0, 1, (1, 0, 1, 0)))
    assert game.players == 2


def test_three_players_sit_in_both_orders_and_all_rotations() -> None:
    game = kibitz.game("whiskey")
    seatings = kibitz.seatings(game)
    assert [seating.order for seating in seatings] == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
        (0, 2, 1),
        (2, 1, 0),
        (1, 0, 2),
    ]
    assert [seating.half for seating in seatings] == [0, 0, 0, 1, 1, 1]
    assert (game.players, halves(game)) == (3, 2)


@pytest.mark.parametrize("name", kibitz.games())
def test_every_player_sits_in_every_seat_with_every_deck(name: str) -> None:
    game = kibitz.game(name)
    seatings = kibitz.seatings(game)
    for half in range(halves(game)):
        met = [seating.order for seating in seatings if seating.half == half]
        for seat in range(game.seats):
            assert sorted(order[seat] for order in met) == list(range(game.players))
    if game.players == game.seats:
        orders = {seating.order for seating in seatings}
        assert orders == set(permutations(range(game.players)))


@pytest.mark.parametrize(
    ("name", "end"), [("german_whist", "points:50"), ("whist", "rubber:5"), ("whiskey", "target:9")]
)
def test_open_ended_matches_cannot_be_duplicated(name: str, end: str) -> None:
    with pytest.raises(kibitz.OptionError) as caught:
        kibitz.seatings(kibitz.game(name, end=end))
    assert caught.value.reason == "NOT_DUPLICABLE"


def test_the_stream_is_what_it_says() -> None:
    parts = [b"kibitz-shuffle", b"1", b"deck", b"t1"]
    context = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    block = hmac.new(b"key", context + bytes(8), hashlib.sha256).digest()
    stream = Stream(b"key", "deck", "t1")
    for start in range(0, 32, 4):
        word = int.from_bytes(block[start : start + 4], "big")
        assert stream.below(1 << 32) == word


@pytest.mark.parametrize(
    ("name", "options", "seed", "deck"),
    [
        ("whist", {}, 1, "WHIST_INT"),
        ("whist", {}, "1", "WHIST_STR"),
        ("whist", {}, b"1", "WHIST_BYTES"),
        ("german_whist", {"jokers": True}, 1, "JOKERS"),
    ],
)
def test_decks_of_version_1_never_change(
    name: str, options: dict[str, Any], seed: int | str | bytes, deck: str
) -> None:
    game = kibitz.game(name, **options)
    assert " ".join(kibitz.shuffle(game, seed)) == DECKS[deck]


def test_fair_decks_go_by_key_and_context() -> None:
    game = kibitz.game("whist")
    decks = {
        tuple(kibitz.deck_from_key(game, key, *context))
        for key in (b"a", b"b")
        for context in ((), ("t1",), ("t1", "1"), ("t11",), ("t1", "", "1"))
    }
    assert len(decks) == 10
    assert " ".join(kibitz.deck_from_key(game, b"key", "t1", "0", "0")) == DECKS["KEY"]
    assert cut_from_key(game, 0, b"key") is None


def test_shuffling_is_unbiased() -> None:
    orders = Counter(tuple(Stream(b"k", str(n)).shuffled([0, 1, 2, 3])) for n in range(24_000))
    chi = sum((count - 1000) ** 2 / 1000 for count in orders.values())
    assert len(orders) == 24
    assert chi < 49.7, "23 degrees of freedom, one in a thousand"


def test_seeds_of_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="a seed is an int, str or bytes, not float"):
        kibitz.shuffle(kibitz.game("whist"), 1.5)  # type: ignore[arg-type]


DECKS = {
    "WHIST_INT": (
        "QS 2H 7H 4C 2C QH JS 6H KS 2D 9D KC 3H QD 3D AH 8D 4D AS TD JC JD 5D AC KH 9H "
        "4S 7C 8S 9S 3S 3C TS 2S 6C 6S 5C AD TH 7S TC 5S 8H 6D 7D 5H QC KD 8C 4H JH 9C"
    ),
    "WHIST_STR": (
        "8S JC 4H AS 7D 2S 7S JH KS JD KC 5H 2D QC 9D KD 6S JS 4D 3H AC QD 5S 9H 8C 6H "
        "8H TS 2C 8D TD 6C 2H 3S 4C 5D QS AH 4S 5C 7H TH 9S AD QH 3D 9C 6D 7C TC 3C KH"
    ),
    "WHIST_BYTES": (
        "TD 3H 9S QS 6C 6S 7H JC KC TH QC TC JD 3S 8S AC 4D KH 2D 5C 4S 8C 5D JH 6H 5H "
        "AH 8H 2C 4H KS 4C 7S 8D AS 6D 9D 9C QH TS 3C QD JS AD 2H 3D 7C 7D 2S 5S 9H KD"
    ),
    "JOKERS": (
        "4H 6S 9D 8H 5H KH XL 9C 8C 3S KD KC 4C 3H QH TD 2D 7S 5C 8D XH AC 3C TC 9H 2H "
        "JS 7H 6H TH JC 7D AD 7C QD JD AS 4D 9S JH QS 3D 5S 5D 4S TS 2C 2S QC KS AH 6C 8S 6D"
    ),
    "KEY": (
        "7H 8S TH QC KD JS 2H 5H TS KS KC 9H TD 4H AC 3C 3D 7S QH TC 2D 8D 7C 9C JD 3S "
        "6H 2C KH JH 9S 8C 4D 5S 6S JC AD 5C 4C AH 5D QS 4S 6D 8H 2S AS QD 6C 9D 3H 7D"
    ),
}
