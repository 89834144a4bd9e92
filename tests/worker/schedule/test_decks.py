"""The decks of a set can be dealt again by anybody who has the secret."""

from __future__ import annotations

import hashlib

import kibitz
import pytest
from kibitz_worker.schedule import commitment, new_secret, set_decks
from kibitz_worker.schedule.decks import deals_in_match

SECRET = bytes(range(32))


def test_decks_depend_on_every_part_of_their_place() -> None:
    game = kibitz.game("german_whist", end="hands:4")
    seen = {
        tuple(luck["deck"])
        for secret in (SECRET, bytes(32))
        for tournament in ("t1", "t2")
        for number in (0, 1)
        for half in set_decks(game, secret, tournament, number)
        for luck in half
    }
    assert len(seen) == 2 * 2 * 2 * 4


def test_the_same_secret_gives_the_same_decks() -> None:
    game = kibitz.game("whiskey", end="deals:3")
    assert set_decks(game, SECRET, "t", 5) == set_decks(game, SECRET, "t", 5)


@pytest.mark.parametrize(("name", "halves"), [("german_whist", 1), ("whist", 1), ("whiskey", 2)])
def test_a_set_has_a_row_of_decks_for_each_order(name: str, halves: int) -> None:
    game = kibitz.game(name)
    decks = set_decks(game, SECRET, "t", 0)
    assert [len(half) for half in decks] == [deals_in_match(game)] * halves
    for half in decks:
        for luck in half:
            game.new_deal(luck["deck"], cut=luck["cut"])


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    secret = new_secret()
    assert commitment(secret) == hashlib.sha256(secret).hexdigest()
    assert len(secret) == 32
    assert secret != new_secret()


def test_matches_without_a_fixed_end_have_no_decks() -> None:
    with pytest.raises(ValueError, match="fixed number"):
        deals_in_match(kibitz.game("german_whist", end="points:10"))


def test_a_deck_is_fixed_for_good() -> None:
    game = kibitz.game("german_whist", end="hands:2")
    deck = set_decks(game, SECRET, "abcd2345", 7)[0][1]["deck"]
    assert hashlib.sha256(" ".join(deck).encode()).hexdigest() == (
        "b79e99a225ca2dc6a3bd9c40045877d670449af09b2b3b35a04e46bf70d43d02"
    )
