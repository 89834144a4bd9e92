"""The decks of a tournament can be dealt again by anybody who has the secret."""

from __future__ import annotations

import hashlib

import kibitz
import pytest
from kibitz.fair import NONCE, Draw, Luck, commitment, deals_in_match

SECRET = bytes(range(32))


def digest(luck: Luck) -> str:
    return hashlib.sha256(" ".join(luck["deck"]).encode()).hexdigest()


def test_decks_depend_on_every_part_of_their_place() -> None:
    game = kibitz.game("german_whist", end="hands:4")
    seen = {
        tuple(luck["deck"])
        for secret in (SECRET, bytes(32))
        for tournament in ("t1", "t2")
        for number in (0, 1)
        for nonces in ((), ("a",), ("a", None), (None, "a"), ("b", "a"))
        for half in Draw(game, secret, tournament, number, nonces).decks()
        for luck in half
    }
    assert len(seen) == 2 * 2 * 2 * 5 * 4


def test_players_without_nonces_leave_the_decks_as_they_are() -> None:
    game = kibitz.game("whiskey", end="deals:3")
    assert Draw(game, SECRET, "t", 5, [None] * 3).decks() == Draw(game, SECRET, "t", 5).decks()


@pytest.mark.parametrize(("name", "halves"), [("german_whist", 1), ("whist", 1), ("whiskey", 2)])
def test_a_set_has_a_row_of_decks_for_each_order(name: str, halves: int) -> None:
    game = kibitz.game(name)
    decks = Draw(game, SECRET, "t", 0).decks()
    assert [len(half) for half in decks] == [deals_in_match(game)] * halves
    for half in decks:
        for luck in half:
            game.new_deal(luck["deck"], cut=luck["cut"])


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_matches_without_a_fixed_end_have_no_decks() -> None:
    with pytest.raises(ValueError, match="fixed number"):
        Draw(kibitz.game("german_whist", end="points:10"), SECRET, "t", 0)


def test_decks_are_fixed_for_good() -> None:
    game = kibitz.game("german_whist", end="hands:2")
    assert digest(Draw(game, SECRET, "abcd2345", 7).half(0)[1]) == (
        "b79e99a225ca2dc6a3bd9c40045877d670449af09b2b3b35a04e46bf70d43d02"
    )
    draw = Draw(game, SECRET, "abcd2345", 7, [None, "otter"])
    assert digest(draw.half(0)[1]) == DIGEST_WITH_NONCE
    (_, second) = kibitz.seatings(game)
    assert draw.relabelling(second, 1) == RELABELLING


@pytest.mark.parametrize(
    ("nonce", "good"),
    [("a", True), ("0f" * 32, True), ("a_b.c-D", True), ("", False), ("a" * 65, False)]
    + [(text, False) for text in ("a b", "ä", "a\n", "a/b", "\0")],
)
def test_what_a_nonce_looks_like(nonce: str, good: bool) -> None:
    assert bool(NONCE.fullmatch(nonce)) == good


DIGEST_WITH_NONCE = "7d266692c1888719e2653c2ba19131a74902b8207310abe9802d8491d3e72b9e"
RELABELLING = (3, 2, 1, 0)
