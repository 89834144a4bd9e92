"""Games of one's own: the frame carries them, and the shipped checks find their mistakes."""

from collections.abc import Iterator
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz import testing
from kibitz.cards import members
from kibitz.deal import Deal
from kibitz.events import What
from kibitz.games import remove_game
from kibitz.phases import Phase, Trick

from tests.sdk.rules.toy import ACES, Toy


@pytest.fixture
def toy() -> Iterator[None]:
    kibitz.add_game(Toy)
    yield
    remove_game("toy")


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("game", testing.variants(Toy), ids=str)
def test_an_own_game_passes_all_checks(game: Toy) -> None:
    testing.check_game(game, seeds=range(6))


@pytest.mark.usefixtures("toy")
def test_an_own_game_is_known_by_name() -> None:
    assert "toy" in kibitz.games()
    assert kibitz.game("toy", end="deals:6") == Toy(end="deals:6")
    with pytest.raises(kibitz.OptionError, match="already"):
        kibitz.add_game(type("Whist", (Toy,), {"name": "whist"}))


def test_discards_are_seen_by_their_maker_only() -> None:
    game = Toy()
    deal = game.new_deal(kibitz.shuffle(game, 2), dealer=0, cut="QH")
    deal.play("exchange:2")
    away = [code for code in deal.codes() if code.startswith("discard")][:2]
    deal.play(away[0])
    deal.play(away[1])
    own = [e for e in deal.seen(0) if e.what is What.DISCARDED]
    other = [e for e in deal.seen(1) if e.what is What.DISCARDED]
    assert [game.actions.names[e.detail] for e in own] == away
    assert [e.detail for e in other] == [-1, -1]
    assert [e.to for e in deal.events if e.what is What.DISCARDED] == [0, 0]
    assert deal.view(1).held[0] == 13
    assert len(deal.view(0).hand) == 13
    assert deal.view(1).stock == 11
    assert deal.view(1).trump == "H"


def test_imagined_discards_keep_the_rules() -> None:
    game, rng, checked = Toy(), Random(1), 0
    for seed in range(12):
        for deal in testing.steps(game, seed, number=0):
            if deal.turn is None or deal.place == deal.dealer or rng.random() > 0.2:
                continue
            twin = kibitz.imagine(deal.view(deal.turn), rng)
            gone = [game.actions.card_of(e.detail) for e in twin.events if e.what is What.DISCARDED]
            assert not any(ACES >> card & 1 for card in gone)
            checked += len(gone)
    assert checked > 100


def test_a_gathered_deck_is_checked() -> None:
    game = Toy(shuffle="never")
    match = game.new_match()
    assert not match.gathers
    match.forfeit(match.new_deal(kibitz.shuffle(game, 1), "QH"), 0, "late")
    assert not match.gathers, "after a forfeit the next deck is a fresh shuffle"
    deal = match.new_deal(kibitz.shuffle(game, 2))
    rng = Random(1)
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
    match.finish(deal)
    assert match.gathers
    with pytest.raises(kibitz.DeckError, match="do not lie together"):
        match.new_deal(kibitz.shuffle(game, 3), "QH")
    match.new_deal(game.gather(match.before, 3), "QH")


def test_the_same_dealer_may_deal_again() -> None:
    game = Toy(all_pass="same_dealer")
    match, dealers = game.new_match(), []
    rng = Random(1)
    while not match.over:
        cut = "QH" if game.needs_cut(match.number) else None
        deal = match.new_deal(kibitz.shuffle(game, match.number), cut)
        dealers.append(deal.dealer)
        while not deal.over:
            deal.play(rng.choice(deal.legal()))
        match.finish(deal)
    assert dealers == [0, 0, 1]


def test_a_phase_that_a_game_does_not_expect_is_its_bug() -> None:
    class Halt(Toy):
        def after_trick(self, deal: Deal, trick: Trick) -> Phase:
            return kibitz.Game.after_trick(self, deal, trick)

    with pytest.raises(kibitz.KibitzError, match="does not say what follows a trick"):
        testing.check_game(Halt(), seeds=[0])


class Peeping(Toy):
    """What the next player may play depends on a hand nobody sees."""

    def may_play(self, deal: Deal, hand: int) -> int:
        legal = super().may_play(deal, hand)
        odd = deal.hands[(deal.place + 1) % 3] & 1
        return 1 << members(legal)[0] if odd else legal


class Telling(Toy):
    """The exchange tells all what was drawn."""

    def after_exchange(self, deal: Deal, exchange: Any) -> Phase:
        after = super().after_exchange(deal, exchange)
        for card in members(deal.hands[exchange.place])[:1]:
            deal.tell(What.SHOWN, exchange.place, card ^ 1)
        return after


class Losing(Toy):
    """A card vanishes."""

    def after_exchange(self, deal: Deal, exchange: Any) -> Phase:
        after = super().after_exchange(deal, exchange)
        deal.hands[exchange.place] &= deal.hands[exchange.place] - 1
        return after


class Unjust(Toy):
    """The returns are not zero-sum."""

    def returns(self, results: Any) -> tuple[float, ...]:
        return (1, 0, 0)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("broken", [Peeping, Telling, Losing, Unjust])
def test_the_checks_find_mistakes(broken: type[Toy]) -> None:
    with pytest.raises((AssertionError, kibitz.KibitzError)):
        testing.check_game(broken(), seeds=range(4))
