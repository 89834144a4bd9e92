"""Every test vector of Ottocento's pack, combinations and declarations, by its id."""

from random import Random

import kibitz
import pytest
from kibitz.cards import mask_of, members
from kibitz.games.ottocento.melds import (
    CHAIN,
    CRICCHE,
    KINDS,
    MEMBERS,
    can_open,
    doubled,
    is_meld,
    length,
    pile_points,
    points,
    steps,
    value,
)
from kibitz.games.ottocento.pack import COUNTING, EMPTY, PACK, VALUES, half_points
from kibitz.games.ottocento.rules import ACTIONS, DISCARDABLE, SHOWABLE

from tests.sdk.rules.ottocento import codes, declaring, mask, melds

ALL = mask_of(range(62))
HAND = "SK BK CK DK ANG MON LUN T16 T14 BAG MAT SA BA CQ CJ MO1 MO2 S6"


def cricche(pile: int) -> int:
    return doubled([worth for kind in CRICCHE if (worth := value(kind, pile))])


def sequences(pile: int) -> int:
    return doubled(
        [worth for kind in KINDS if kind not in CRICCHE and (worth := value(kind, pile))]
    )


def test_tv1_the_pack() -> None:
    assert len(PACK.codes) == 62
    assert sum(VALUES) == 118
    assert half_points(ALL) == 174
    assert cricche(ALL) == 296
    assert sum(value(kind, ALL) for kind in CRICCHE) == 148
    assert value("trumps", ALL) == 105
    assert [value(kind, ALL) for kind in ("S", "B", "C", "D", "moors", "aces")] == [30] * 4 + [
        25
    ] * 2
    assert sequences(ALL) == 550
    assert half_points(ALL) // 2 + 6 + pile_points(ALL) == 939


def test_the_deck_order() -> None:
    expected = "ANG MON SOL LUN T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 MO1 MO2 MO3 MO4 BAG MAT"
    assert PACK.codes[:22] == tuple(expected.split())
    assert PACK.codes[22:32] == ("SK", "SQ", "SN", "SJ", "S10", "S9", "S8", "S7", "S6", "SA")
    assert PACK.codes[52:] == ("DK", "DQ", "DN", "DJ", "DA", "D6", "D7", "D8", "D9", "D10")


def test_there_are_174_actions() -> None:
    assert (len(DISCARDABLE), len(SHOWABLE), len(ACTIONS)) == (54, 42, 174)


def test_what_pays_for_the_fool() -> None:
    assert len(EMPTY) + len(COUNTING) == 61
    assert set(EMPTY) == {card for card in range(62) if VALUES[card] == 1}
    assert [PACK.codes[card] for card in EMPTY[:5]] == ["S6", "B6", "C6", "D6", "S7"]
    assert [PACK.codes[card] for card in COUNTING[-3:]] == ["BAG", "MON", "ANG"]


@pytest.mark.parametrize(
    ("cards", "of_a_kind", "in_order"),
    [
        ("SK BK CK DK", 34, 0),
        ("SK BK CK", 17, 0),
        ("ANG MON BAG", 18, 10),
        ("ANG BAG MAT", 18, 0),
        ("ANG LUN BAG MAT", 18, 15),
        ("ANG MON LUN T16 T14 T13 BAG", 18, 30),
        ("ANG SOL LUN T16 T14 T13 BAG", 0, 30),
        ("ANG MON SOL LUN T15 T14 BAG MAT", 36, 35),
        ("ANG MON SOL LUN T14 T13 BAG MAT", 36, 25),
        ("SK SQ SJ SA", 0, 15),
        ("SK SQ SA", 0, 0),
        ("SK SN SA MAT", 0, 15),
        ("SA BA MO1 MO2 MAT", 0, 20),
        ("SA BA MO1 MO2 CK CJ MAT", 0, 60),
        ("MO1 MO2 MO3 MO4 BAG MAT", 0, 25),
        ("SK SQ SN SJ BK BQ BN BJ CK CQ CN CJ", 112, 90),
        pytest.param(
            "ANG SOL LUN T16 T15 MAT T13", 0, 30, id="TV10"
        ),
    ],
)  # fmt: skip
def test_tv9_combinations(cards: str, of_a_kind: int, in_order: int) -> None:
    pile = mask(cards)
    assert (cricche(pile), sequences(pile)) == (of_a_kind, in_order)
    assert pile_points(pile) == of_a_kind + in_order


def declared(text: str) -> int:
    """Return the points of melds given as kind and cards, `trumps ANG MON LUN; aces SA BA MAT`."""
    deal = declaring(HAND)
    for meld in filter(None, text.split("; ")):
        kind, *cards = meld.split()
        deal.play(f"declare:{kind}")
        for card in members(mask(" ".join(cards))):
            deal.play(f"show:{PACK.codes[card]}")
        deal.play("done")
    deal.play("done")
    assert deal.turn == 1
    return deal.game.piles(deal).declared  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("", 0),
        ("kings SK BK CK", 17),
        ("kings SK BK CK DK; trumps ANG MON LUN", 44),
        ("trumps ANG MON LUN T16 BAG T14; aces SA BA MAT", 35),
        ("trumps ANG MON LUN T16 BAG T14; moors MO1 MO2 MAT BAG; aces SA BA MAT", 100),
    ],
    ids=["nothing", "kings", "kings and trumps", "trumps and aces", "three sequences"],
)
def test_tv9_declarations(text: str, worth: int) -> None:
    assert declared(text) == worth


def test_tv9_the_most_that_can_be_declared() -> None:
    held = mask(HAND)
    best = {
        kind: max(melds(kind, held), key=int.bit_count) for kind in KINDS if can_open(kind, held)
    }
    worth = {kind: value(kind, cards) for kind, cards in best.items()}
    assert worth == {"honours": 36, "kings": 34, "trumps": 30, "C": 20, "moors": 15, "aces": 15}
    assert points(best) == 230


def test_tv9_a_whole_run_of_actions() -> None:
    run = (
        "declare:trumps show:ANG show:MON show:LUN show:T16 show:T14 show:BAG done"
        " declare:moors show:MO1 show:MO2 show:BAG show:MAT done"
        " declare:aces show:MAT show:SA show:BA done done"
    )
    deal = declaring(HAND)
    for code in run.split():
        assert deal.turn == 0
        deal.play(code)
    assert deal.turn == 1
    assert deal.view(2).shown[0] != []
    assert mask_of(deal.view(2).shown[0]) == mask("ANG MON LUN T16 T14 BAG MO1 MO2 MAT SA BA")


@pytest.mark.parametrize(
    "run",
    [
        "declare:kings show:SK show:BK done",
        "declare:trumps show:ANG show:MON show:LUN show:T14",
        "declare:S",
        "declare:aces show:SA",
        "declare:moors show:MO3",
        "declare:kings show:SK show:BK show:CK done declare:kings",
        "declare:trumps show:MON",
        "declare:aces show:MAT show:BAG",
        "declare:aces show:BAG show:MAT show:SA done",
        "declare:C show:BAG show:MAT show:CK done",
    ],
)
def test_tv9_illegal_declarations(run: str) -> None:
    deal = declaring(HAND)
    *before, wrong = run.split()
    for code in before:
        deal.play(code)
    with pytest.raises(kibitz.IllegalActionError):
        deal.play(wrong)


STEPS = """
 | done declare:honours declare:kings declare:trumps declare:C declare:moors declare:aces
declare:kings | show:SK show:BK
declare:kings show:SK | show:BK show:CK
declare:kings show:SK show:BK | show:CK show:DK
declare:kings show:SK show:BK show:CK | show:DK done
declare:kings show:SK show:BK show:CK show:DK | done
declare:kings show:SK show:BK show:CK done | LATER
declare:trumps | show:ANG
declare:trumps show:ANG | show:MON show:LUN
declare:trumps show:ANG show:MON | show:LUN show:T16 show:BAG show:MAT
declare:trumps show:ANG show:MON show:LUN | show:T16 show:BAG show:MAT done
declare:trumps show:ANG show:MON show:LUN show:T16 | show:T14 show:BAG show:MAT done
declare:trumps show:ANG show:MON show:LUN show:T16 show:T14 | show:BAG show:MAT
declare:C | show:BAG show:MAT show:CK
declare:C show:BAG show:MAT show:CK | show:CQ show:CJ
declare:aces | show:BAG show:MAT
declare:aces show:MAT show:SA show:BA done | done
"""


@pytest.mark.parametrize("row", STEPS.strip("\n").splitlines())
def test_tv9_step_by_step(row: str) -> None:
    later = "done declare:trumps declare:C declare:moors declare:aces"
    run, legal = row.replace("LATER", later).split(" | ")
    deal = declaring(HAND)
    for code in run.split():
        deal.play(code)
    assert set(deal.codes()) == set(legal.split())
    assert deal.turn == 0


def test_tv10_pisarris_formula() -> None:
    mine = ALL & ~mask("MON T14 T12 T10 T9 T7 T5 BAG")
    assert value("trumps", mine) == 30
    rng = Random(1)
    for _ in range(2000):
        pile = mask_of(rng.sample(range(62), rng.randrange(20, 62)))
        assert value("trumps", pile) == pisarri(pile)


def pisarri(pile: int) -> int:
    """Return 105 less five for the trump that breaks the chain, higher ones and counters out."""
    core, counters = mask("MON SOL LUN"), (pile & mask("BAG MAT")).bit_count()
    held = (pile & core).bit_count()
    if not pile & mask("ANG") or not held or (held == 1 and not counters):
        return 0
    spare, filled, broken, missing = counters - (held == 1), False, 0, 3 - held
    for number, card in zip(range(16, 4, -1), CHAIN, strict=True):
        if pile >> card & 1:
            filled = False
        elif spare and not filled:
            spare, filled = spare - 1, True
            missing += 1
        else:
            broken = number
            break
    if not broken:
        moors = 4 - (pile & mask("MO1 MO2 MO3 MO4")).bit_count()
        return 105 - 5 * (missing + moors + 2 - counters)
    # The chain's own twelve and the Moors: all from the broken one down are lost.
    return 105 - 5 * (broken + missing + 2 - counters)


def test_tv11_a_public_test() -> None:
    first = mask("SOL T15 T7 MO1 MAT SA SK SN S10 S9 S6 BA BK B10 B9 B6 CJ C10 C8 D10 D9")
    paid = mask("B6")
    other = ALL & ~first
    first, other = first & ~paid, other | paid
    assert (cricche(first), sequences(first), half_points(first)) == (0, 25, 50)
    assert (cricche(other), sequences(other), half_points(other)) == (142, 250, 124)
    assert half_points(first) // 2 + 25 == 50
    assert half_points(other) // 2 + 142 + 250 + 6 == 460


def test_tv12_examples_of_the_19th_century() -> None:
    pile = ALL & ~mask("MON SOL T16 BAG DK DJ DA SQ SN SJ CJ BN BA")
    assert [value(kind, pile) for kind in ("moors", "aces", "B", "C", "trumps")] == [
        20,
        10,
        15,
        20,
        10,
    ]
    assert (sequences(pile), cricche(pile)) == (150, 31)
    assert pile_points(pile) == 181
    assert doubled([25, 20, 25, 30, 35]) + doubled([36, 17, 26]) == 270 + 158 == 428


PILES = {
    "S1 declarer": (
        "ANG MON T16 T15 T13 T9 T6 MO1 MO2 MO3 BAG MAT SK SQ SN SA S9 S8 BK BQ BA B10 B6 CK CJ CA"
        " C7 DQ DN D6 D7 D8 D9 S7 S6",
        119, 134, 270,
    ),
    "S3 declarer": (
        "SOL T14 T12 T11 MO1 MO4 SK SJ S10 S9 BK BN BJ B9 CQ CN C6 C8 DK DJ DA D10 S6 S7 B7 B8 C9"
        " C10 BQ T5 T7 T8",
        82, 29, 15,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PILES)
def test_tv14_whole_piles(name: str) -> None:
    cards, half, of_a_kind, in_order = PILES[name]
    pile = mask(cards)
    assert (half_points(pile), cricche(pile), sequences(pile)) == (half, of_a_kind, in_order)
    rest = ALL & ~pile
    if name.startswith("S1"):
        assert (half_points(rest), pile_points(rest)) == (55, 12)
        assert value("trumps", pile) == 30
    else:
        assert (half_points(rest), cricche(rest), sequences(rest)) == (92, 36, 180)


def by_trying_all(kind: str, held: int) -> set[int]:
    cards = members(held & MEMBERS[kind])
    subsets = (
        mask_of(c for i, c in enumerate(cards) if n >> i & 1) for n in range(1, 1 << len(cards))
    )
    return {subset for subset in subsets if is_meld(kind, subset)}


def test_every_meld_can_be_shown_and_nothing_else() -> None:
    rng = Random(1)
    for _ in range(60):
        held = mask_of(rng.sample(range(22), 10) + rng.sample(range(22, 62), 8))
        for kind in KINDS:
            expected = by_trying_all(kind, held)
            found = list(melds(kind, held))
            assert set(found) == expected
            assert len(found) == len(expected), "each has one spelling"
            assert can_open(kind, held) == bool(expected)


def test_no_step_leads_nowhere() -> None:
    rng = Random(2)
    for _ in range(200):
        held = mask_of(rng.sample(range(22), 12) + rng.sample(range(22, 62), 6))
        for kind in KINDS:
            shown = 0
            while more := steps(kind, held, shown):
                shown |= 1 << rng.choice(more)
            assert shown == 0 or is_meld(kind, shown), (kind, codes(held), codes(shown))


@pytest.mark.parametrize(
    ("extra", "count"), [("", 1980), (" MO1", 2405)], ids=["18 cards", "19 cards"]
)
def test_the_most_melds_of_a_hand(extra: str, count: int) -> None:
    held = mask("ANG MON SOL LUN T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 BAG MAT" + extra)
    assert sum(1 for kind in KINDS for _ in melds(kind, held)) == count


def test_kinds_that_are_none() -> None:
    assert length("S", mask("SK SA MAT")) == 0
    assert not is_meld("aces", mask("SA MAT BAG"))
    assert not is_meld("kings", mask("SK BK CK SQ"))
