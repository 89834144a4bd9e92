"""Solo Whist without shuffling: how the next deck is gathered, and how that is checked."""

from collections import Counter
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz.games.solo_whist.gathering import check_row, gathered, piles
from kibitz.games.solo_whist.rules import SoloWhist
from kibitz.shuffle import Stream

NEVER = SoloWhist(shuffle="never")
HIGH = kibitz.game("solo_whist", "high_scoring")
THREE = SoloWhist(variant="irish3", shuffle="never")


def finished(game: kibitz.Game, calls: str, seed: int = 1) -> kibitz.Deal:
    """Return a deal played at random after some calls, eldest being seat 0."""
    deal = game.new_deal(kibitz.shuffle(game, seed), game.seats - 1)
    for call in calls.split():
        deal.play(call)
    rng = Random(seed)
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
    return deal


def test_piles_are_tricks_and_then_what_was_not_played() -> None:
    deal = finished(NEVER, "misere pass pass pass")
    found = piles(deal)
    assert sum(len(tricks) for tricks, _ in found) == sum(deal.taken)
    assert all(len(trick) == 4 for tricks, _ in found for trick in tricks)
    cards = [card for tricks, rest in found for block in (*tricks, rest) for card in block]
    assert sorted(cards) == list(range(52))
    thrown_in = finished(NEVER, "pass pass pass pass")
    assert [(tricks, len(rest)) for tricks, rest in piles(thrown_in)] == [([], 13)] * 4


def test_the_dummys_tricks_lie_in_the_pile_of_its_player() -> None:
    deal = finished(THREE, "bid:7NT pass pass", seed=4)
    found = piles(deal)
    assert deal.taken[3] > 0
    assert len(found[0][0]) == deal.taken[0] + deal.taken[3]
    open_misere = finished(THREE, "misere pass pass", seed=1)
    assert len(piles(open_misere)) == 4, "what the dummy has not played is a pile of its own"
    assert piles(open_misere)[3][0] == []


@pytest.mark.parametrize(
    ("game", "calls"),
    [
        (NEVER, "misere pass pass pass"),
        (NEVER, "solo pass pass pass"),
        (NEVER, "pass pass pass pass"),
        (THREE, "bid:9NT pass pass"),
    ],
    ids=str,
)
def test_a_gathered_deck_passes_and_another_does_not(game: SoloWhist, calls: str) -> None:
    deal = finished(game, calls)
    refused = []
    for number in range(40):
        deck = gathered(deal, Stream(b"key", str(number)))
        check_row(deal, deck)
        rng = Random(number)
        one, other = rng.sample(range(52), 2)
        deck[one], deck[other] = deck[other], deck[one]
        try:
            check_row(deal, deck)
        except kibitz.DeckError as error:
            refused.append(error.reason)
    assert set(refused) == {"NOT_GATHERED"}
    assert len(refused) > 25, "some exchanges are within a block"
    with pytest.raises(kibitz.DeckError, match="do not lie together"):
        check_row(deal, list(range(52)))


def test_what_stays_unplayed_lies_after_the_tricks_of_its_pile() -> None:
    deal = finished(NEVER, "solo pass pass pass")
    deck = [card for tricks, rest in piles(deal) for block in (*tricks, rest) for card in block]
    check_row(deal, deck)
    check_row(deal, deck[17:] + deck[:17])
    row = [
        card
        for tricks, rest in piles(deal)
        for block in ((rest, *tricks) if tricks else (rest,))
        for card in block
    ]
    assert any(len(tricks) > 1 and rest for tricks, rest in piles(deal))
    with pytest.raises(kibitz.DeckError):
        check_row(deal, row)


def test_every_choice_is_as_likely_as_the_others() -> None:
    deal = finished(NEVER, "pass pass pass pass")
    hands = {card: place for place in range(4) for card in deal.hand(place)}
    first, tops = Counter[int](), Counter[int]()
    n = 2000
    for number in range(n):
        deck = gathered(deal, Stream(b"key", str(number)))
        first[deck[0]] += 1
        start = next(i for i in range(52) if hands[deck[i - 1]] != hands[deck[i]])
        tops[hands[deck[start]]] += 1
    assert set(first) == set(range(52)), "the cut may come anywhere"
    chi = sum((first[card] - n / 52) ** 2 / (n / 52) for card in range(52))
    assert chi < 91, "51 degrees of freedom, five in ten thousand"
    assert all(abs(count - n / 4) < 4 * (n * 3 / 16) ** 0.5 for count in tops.values())


def test_the_same_seed_gathers_the_same_deck() -> None:
    deal = finished(NEVER, "solo pass pass pass")
    assert NEVER.gather(deal, 5) == NEVER.gather(deal, 5) != NEVER.gather(deal, 6)


@pytest.mark.parametrize(
    ("calls", "shuffled"),
    [
        ("pass pass pass pass", False),
        ("prop cop pass pass", False),
        ("solo pass pass pass", False),
        ("misere pass pass pass", False),
        ("abundance pass pass pass trump:C", True),
        ("royal pass pass pass", True),
        ("ouverte pass pass pass", True),
        ("declared pass pass pass", True),
    ],
)
def test_high_contracts_are_followed_by_a_shuffle(calls: str, shuffled: bool) -> None:
    deal = finished(HIGH, calls)
    assert HIGH.gathers(deal) is not shuffled
    assert NEVER.gathers(deal)
    assert not SoloWhist().gathers(deal)
    assert not HIGH.gathers(None)


def test_slams_are_high() -> None:
    game = kibitz.game("solo_whist", "grand_slam")
    for call in ("petit", "grand"):
        assert not game.gathers(finished(game, f"{call} pass pass pass trump:D"))


def played(game: SoloWhist, *, forfeit: int | None = None) -> kibitz.Match:
    match, rng = game.new_match(), Random(3)
    while not match.over:
        seed = match.number
        deck = game.gather(match.before, seed) if match.gathers else kibitz.shuffle(game, seed)
        deal = match.new_deal(deck, kibitz.cut(game, seed, seed))
        if match.number == forfeit:
            match.forfeit(deal, 1, "a test")
            assert not match.gathers, "after a forfeit the cards are shuffled"
            continue
        while not deal.over:
            deal.play(rng.choice(deal.legal()))
        match.finish(deal)
    return match


@pytest.mark.parametrize(
    "options",
    [
        {"shuffle": "never", "end": "deals:8"},
        {"shuffle": "after_high", "end": "deals:8", "trump": "second_pack"},
        {"shuffle": "never", "variant": "irish3", "end": "deals:6"},
        {"shuffle": "never", "play_out": "always", "all_pass": "same_dealer", "end": "deals:8"},
    ],
    ids=str,
)
def test_records_with_gathered_decks_verify(options: dict[str, Any]) -> None:
    game = SoloWhist(**options)
    for forfeit in (None, 2):
        match = played(game, forfeit=forfeit)
        record = kibitz.Record.from_json(match.record().to_json())
        assert record.verify().returns == match.returns
        with pytest.raises(kibitz.OptionError):
            kibitz.seatings(game)


def test_a_record_with_a_wrongly_gathered_deck_is_found_out() -> None:
    match = played(SoloWhist(shuffle="never", end="deals:4"))
    data = match.record().data
    fresh = kibitz.shuffle(NEVER, "another")
    data["deals"][2]["deck"] = fresh
    with pytest.raises(kibitz.RecordError, match="cannot have been gathered") as caught:
        kibitz.Record(data).verify()
    assert (caught.value.deal, caught.value.reason) == (2, "NOT_GATHERED")


def test_there_is_nothing_to_gather_before_the_first_deal() -> None:
    with pytest.raises(kibitz.KibitzError):
        NEVER.gather(None, 1)
