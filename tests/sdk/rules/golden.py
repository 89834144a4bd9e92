"""Files in tests/golden that hold games to what they were; this module writes them anew.

``python -m tests.sdk.rules.golden`` writes what the games do now: read the diff before it goes in.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import kibitz
from kibitz import testing
from kibitz.games import game_class

FOLDER = Path(__file__).parents[2] / "golden"
PERFT = ((1, 8), (2, 9), (3, 10))
"""Seeds, and the decisions before the end from which all ways of going on are counted."""

# Ends of deals that stop early have too many cards in hand to count all ways.
IN_PERFT: dict[str, dict[str, Any]] = {"solo_whist": {"play_out": "always"}}
# Options that no preset has, and seeds; the name of the file says what they are for.
OPTIONS: dict[str, dict[str, tuple[int, dict[str, Any]]]] = {
    "german_whist": {"free": (11, {"follow1": False, "hand_score": "margin"})},
    "whist": {"honours": (11, {"honours": True})},
    "solo_whist": {
        "raise": (2, {"uncopped": "raise", "rounds": "single"}),
        "ones": (3, {"deal": "ones", "trump": "cycle_nt", "play_out": "always"}),
    },
    "whiskey": {"left": (11, {"first_call": "left", "end_passes": 2})},
    "three_handed_whist": {
        "bottom": (2, {"cut": "bottom"}),
        "named": (3, {}),
        "named_after": (4, {"name_trump": "after"}),
        "no_trumps": (8, {}),
        "nullo": (10, {}),
    },
    "ottocento": {
        "eldest": (30, {}),
        "shown": (22, {}),
        "solo": (20, {}),
        "long_hands": (38, {"deal": "19+5", "pips": "uniform", "loss": "each"}),
    },
    "whos_who": {"revised": (2, {"objective": "revised"}), "large": (3, {"pack": 54})},
}
# Deals that begin with certain decisions, so that every contract is in a file.
OPENINGS: dict[str, dict[str, tuple[int, dict[str, Any], str]]] = {
    "solo_whist": {
        "misere": (21, {}, "pass misere pass pass"),
        "ouverte": (22, {"play_out": "always"}, "pass pass ouverte pass"),
        "abundance": (23, {}, "prop abundance pass pass pass trump:D"),
        "royal": (24, {"trump": "cycle"}, "royal pass pass pass"),
        "late_cop": (25, {"prop_need": 7}, "pass prop pass pass cop"),
        "petit": (26, {"slams": True}, "petit pass pass pass trump:S"),
        "grand": (27, {"slams": True, "overtricks": 6}, "pass pass pass grand trump:H"),
        "named_declared": (28, {"declared_trump": "bidder"}, "declared pass pass pass trump:C"),
        "one_round": (
            27,
            {"rounds": "single", "uncopped": "raise_solo", "prop_need": 7},
            "prop pass pass pass solo",
        ),
        "irish_misere": (30, {"variant": "irish"}, "bid:9C misere pass pass pass"),
        "irish_for_three": (31, {"variant": "irish3", "play_out": "always"}, "bid:6NT pass pass"),
    },
    "whiskey": {
        "redoubled": (21, {}, "bid:3 double pass redouble pass pass pass lose:NT"),
        "thrown_in": (22, {}, "pass pass pass"),
    },
    "ottocento": {"passed_out": (21, {}, "pass pass pass")},
}
# Options under which the ways to go on are counted too.
PERFT_OPTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "german_whist": {"jokers": {"follow1": False, "jokers": True}},
    "whist": {"no_trumps": {"trump": "cycle", "cycle": ["NT"]}},
    "solo_whist": {"irish3": {"variant": "irish3", "play_out": "always"}},
    "three_handed_whist": {"bottom": {"cut": "bottom", "name_trump": "after"}},
    "whiskey": {"left": {"first_call": "left", "end_passes": 2}},
    "whos_who": {"large": {"pack": 54}},
    "ottocento": {"long_hands": {"deal": "19+5", "pips": "uniform"}},
}


def actions(name: str) -> str:
    """Return the list of a game's actions, a number and a code a line."""
    return "".join(f"{int(one)} {one.code}\n" for one in kibitz.game(name).actions)


def playthrough(game: kibitz.Game, seed: int = 1, opening: str = "") -> str:
    """Return a deal played at random after an opening: what is legal, what happened."""
    return "\n".join(_lines(game, seed, iter(opening.split()))) + "\n"


def _lines(game: kibitz.Game, seed: int, opening: Iterator[str]) -> Iterator[str]:
    options = " ".join(f"{key}={value}" for key, value in game.options().items())
    yield f"{game.name} {options}"
    rng = Random(seed)
    deal = testing.new_deal(game, seed)
    codes = game.cards.codes
    yield f"number {deal.number}, dealer {deal.dealer}, cut {deal.cut}"
    yield "deck " + " ".join(codes[card] for card in deal.deck)
    for place in range(game.places):
        yield f"place {place}: {' '.join(codes[card] for card in deal.hand(place))}"
    told = 0
    while True:
        yield from (f"    {describe(game, event)}" for event in _news(deal, told))
        told = len(deal.events)
        if deal.turn is None:
            break
        code = next(opening, None)
        action = testing.choose(deal, rng) if code is None else game.actions.find(code)
        who = f"seat {deal.turn}" + (f" for {deal.place}" if deal.place != deal.turn else "")
        yield f"{len(deal.history)} {who}: {action.code} of {' '.join(deal.codes())}"
        deal.play(action)
    yield f"scores {' '.join(map(str, deal.scores or ()))}"
    for seat in range(game.seats):
        unseen = " ".join(card.code for card in deal.view(seat).unseen)
        yield f"seat {seat} does not know {unseen or 'nothing'}"


def _news(deal: kibitz.Deal, told: int) -> list[kibitz.Event]:
    return [e for e in deal.events[told:] if not (e.what is kibitz.What.DEALT and not told)]


def describe(game: kibitz.Game, event: kibitz.Event) -> str:
    """Return an event in words."""
    words = [event.what.name.lower(), f"place {event.place}"]
    if event.what is kibitz.What.TRUMP:
        words.append("none" if event.detail < 0 else (*game.cards.suits, "X")[event.detail])
    elif event.detail >= 0:
        words.append(game.actions.names[event.detail])
    if event.to is not None:
        words.append(f"seen by {event.to}")
    return " ".join(words)


def perft(game: kibitz.Game) -> str:
    """Return how many ways some deals can be played from near their end, by length."""
    lines = []
    for first, left in PERFT:
        seed, end = next(
            (seed, end)
            for seed in range(first, first + 1000, 100)
            for *_, end in [testing.steps(game, seed)]
            if kibitz.What.CALLED
            not in [event.what for event in end.events if event.is_action][-left:]
        )
        deal = testing.new_deal(game, seed)
        for _, action in end.history[: len(end.history) - left]:
            deal.play(action)
        counts = " ".join(str(paths(deal, depth)) for depth in range(1, left + 1))
        lines.append(f"seed {seed}, {left} decisions left: {counts}\n")
    deal = testing.new_deal(game, 1)
    lines.append(f"seed 1, from the start: {paths(deal, 1)} {paths(deal, 2)} {paths(deal, 3)}\n")
    return "".join(lines)


def paths(deal: kibitz.Deal, depth: int) -> int:
    """Return the number of different rows of so many decisions, or fewer at the end."""
    if depth == 0 or deal.over:
        return 1
    total = 0
    for action in deal.legal():
        twin = deal.copy()
        twin.apply(action)
        total += paths(twin, depth - 1)
    return total


def files(name: str) -> dict[Path, Callable[[], str]]:
    """Return all golden files of a game and how to work out what they should hold."""
    plays = FOLDER / "playthroughs"
    found: dict[Path, Callable[[], str]] = {
        FOLDER / "actions" / f"{name}.txt": partial(actions, name),
        FOLDER / "perft" / f"{name}.txt": partial(
            perft, kibitz.game(name, **IN_PERFT.get(name, {}))
        ),
        plays / f"{name}.txt": partial(playthrough, kibitz.game(name)),
    }
    for seed, preset in enumerate(game_class(name).presets, 2):
        path = plays / f"{name}.{preset}.txt"
        found[path] = partial(playthrough, kibitz.game(name, preset), seed)
    for what, (seed, options) in OPTIONS.get(name, {}).items():
        path = plays / f"{name}.{what}.txt"
        found[path] = partial(playthrough, kibitz.game(name, **options), seed)
    for what, (seed, options, opening) in OPENINGS.get(name, {}).items():
        path = plays / f"{name}.{what}.txt"
        found[path] = partial(playthrough, kibitz.game(name, **options), seed, opening)
    for what, options in PERFT_OPTIONS.get(name, {}).items():
        path = FOLDER / "perft" / f"{name}.{what}.txt"
        found[path] = partial(perft, kibitz.game(name, **options))
    return found


if __name__ == "__main__":
    for one in kibitz.games():
        for path, made in files(one).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made())
