"""Games by name, presets and options; what is refused, and what would be right."""

from typing import Any

import kibitz
import pytest


def test_games_are_listed_in_the_order_of_the_rules() -> None:
    known = [
        "german_whist",
        "whist",
        "solo_whist",
        "three_handed_whist",
        "whiskey",
        "whos_who",
        "ottocento",
    ]
    assert kibitz.games() == [name for name in known if name in kibitz.games()]
    assert {"german_whist", "whist", "whiskey"} <= set(kibitz.games())


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("german_whist", {"end": "hands:3"}, "hands:N with N a multiple of 2"),
        ("german_whist", {"end": "hands:010"}, "no leading zero"),
        ("german_whist", {"end": "hands:0"}, "hands:N"),
        ("german_whist", {"end": "points:0"}, "points:N"),
        ("german_whist", {"end": "points:"}, "points:N"),
        ("german_whist", {"end": "deals:12"}, "hands:N"),
        ("german_whist", {"end": 10}, "hands:N"),
        ("german_whist", {"end": "hands:10 "}, "hands:N"),
        ("german_whist", {"end": "hands:" + "9" * 5000}, "hands:N"),
        ("german_whist", {"end": "hands:\u0661\u0660"}, "hands:N"),
        ("german_whist", {"follow1": 1}, "true or false"),
        ("german_whist", {"follow1": "true"}, "true or false"),
        ("german_whist", {"max_deals": 0}, "a whole number from 1"),
        ("german_whist", {"max_deals": True}, "a whole number from 1"),
        ("german_whist", {"max_deals": "200"}, "a whole number from 1"),
        ("german_whist", {"hand_score": "over6", "count": "all"}, "count=stage2"),
        ("german_whist", {"count": "stage1"}, "stage2 or all"),
        ("whist", {"end": "deals:13"}, "deals:N with N a multiple of 4"),
        ("whist", {"end": "rubber:7"}, "rubber:5"),
        ("whist", {"cycle": []}, "a list of C D H S NT"),
        ("whist", {"cycle": ["C", "X"]}, "a list of C D H S NT"),
        ("whist", {"cycle": "CDHS"}, "a list of C D H S NT"),
        ("whist", {"honours": None}, "false or true"),
        ("solo_whist", {"end": ""}, "deals:N with N a multiple of 4; of 3 with variant=irish3"),
        ("solo_whist", {"end": "deals:6"}, "N a multiple of 4"),
        ("solo_whist", {"variant": "irish3", "end": "deals:16"}, "N a multiple of 3"),
        ("solo_whist", {"variant": "irish", "shuffle": "after_high"}, "shuffle=each or never"),
        ("solo_whist", {"variant": "irish3", "shuffle": "after_high"}, "shuffle=each or never"),
        ("solo_whist", {"prop_need": 9}, "8 or 7"),
        ("solo_whist", {"overtricks": 3}, "0 or 4 or 5 or 6"),
        ("three_handed_whist", {"end": "deals:12"}, "full"),
        ("whos_who", {"objective": 2006}, "2006 or revised"),
        ("whos_who", {"pack": "42"}, "42 or 54"),
        ("ottocento", {"deal": "18+5"}, "18+8 or 19+5"),
        ("ottocento", {"end": "deals:4"}, "deals:N with N a multiple of 3"),
        ("whiskey", {"end": "deals:13"}, "deals:N with N a multiple of 3"),
        ("whiskey", {"end_passes": "3"}, "3 or 2"),
        ("whiskey", {"end_passes": 4}, "3 or 2"),
        ("whiskey", {"first_call": ["left"]}, "dealer or left"),
    ],
)
def test_values_that_are_refused(name: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(kibitz.OptionError) as caught:
        kibitz.game(name, **options)
    assert says in str(caught.value)
    assert caught.value.option in {*options, "count"}
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("german_whist", "hands:2"),
        ("german_whist", "points:1"),
        ("whist", "deals:4"),
        ("whist", "game:1"),
        ("whist", "rubber:5"),
        ("whiskey", "deals:999"),
        ("whiskey", "target:1"),
    ],
)
def test_ends_that_are_allowed(name: str, end: str) -> None:
    assert kibitz.game(name, end=end).options()["end"] == end


def test_unknown_names_are_answered_with_what_there_is() -> None:
    with pytest.raises(kibitz.OptionError, match="did you mean 'whiskey'") as caught:
        kibitz.game("whisky")
    assert caught.value.reason == "UNKNOWN_GAME"
    with pytest.raises(kibitz.OptionError, match="presets are: honeymoon") as caught:
        kibitz.game("german_whist", "moon")
    assert caught.value.reason == "UNKNOWN_PRESET"
    with pytest.raises(kibitz.OptionError, match="did you mean 'max_deals'") as caught:
        kibitz.game("whiskey", max_deal=3)
    assert caught.value.reason == "UNKNOWN_OPTION"
    with pytest.raises(kibitz.OptionError):
        kibitz.game("../whist")


def test_options_given_win_over_a_preset() -> None:
    game = kibitz.game("whist", "short", end="game:7")
    assert game.options() == {
        "trump": "turn_up",
        "cycle": ["H", "C", "D", "S"],
        "honours": True,
        "end": "game:7",
    }


def test_true_and_one_are_not_mixed_up() -> None:
    assert kibitz.game("german_whist", max_deals=1).options()["max_deals"] == 1
    with pytest.raises(kibitz.OptionError):
        kibitz.game("german_whist", max_deals=True)
    with pytest.raises(kibitz.OptionError):
        kibitz.game("german_whist", jokers=0)
    assert kibitz.game("german_whist", jokers=False).options()["jokers"] is False
