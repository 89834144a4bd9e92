"""How much is luck, for people and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from kibitz.cli.console import show

from kibitz_worker.ratings.luck import Board, find_components, position_bias


def as_json_luck(boards: Sequence[Board]) -> dict[str, Any]:
    """Components, what follows from them, and the positions' bias; raises as `find_components`."""
    luck = find_components(boards)
    return {
        **asdict(luck),
        "luck": luck.luck,
        "rho": luck.rho,
        "factor": luck.factor if luck.rho < 1.0 else None,
        "positions": [asdict(position) for position in position_bias(boards)],
    }


def show_luck(boards: Sequence[Board]) -> None:
    """Print the same as tables."""
    luck = find_components(boards)
    spread = [("the cards of a seat", luck.cards), ("the rest of luck", luck.rest)]
    spread += [("who plays", luck.bot)]
    if luck.bot_by_bot is not None:
        spread += [("who plays against whom", luck.bot_by_bot)]
    total = sum(variance for _, variance in spread)
    show(
        ("a deal's score comes from", ">variance", ">share"),
        ((what, f"{one:.3f}", f"{one / total if total else 0.0:.1%}") for what, one in spread),
    )
    print(
        f"{luck.boards} decks in all seatings; luck is {luck.luck:.1%} of a single deal's score.\n"
        f"Duplicate play takes {luck.rho:.0%} of it away (rho): it needs {luck.factor:.2f} times"
        " fewer deals."
    )
    if luck.bot > 0.0:
        typical = (2.0 * luck.bot) ** 0.5
        needed = luck.deals_needed(typical)
        alone = luck.deals_needed(typical, duplicate=False)
        print(
            f"Two bots that differ as usual here, by {typical:.2f} a deal, are told apart at 95 %"
            f" after {needed:,.0f} deals each ({alone:,.0f} without duplicate play)."
        )
    show(
        ("position", ">margin/deal", ">95 %"),
        (
            (
                "dealer" if place.position == 0 else f"{place.position} after the dealer",
                f"{place.margin:+.3f}",
                f"±{(place.high - place.low) / 2.0:.3f}",
            )
            for place in position_bias(boards)
        ),
    )
