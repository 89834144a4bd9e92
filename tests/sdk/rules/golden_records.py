"""Old records in tests/golden/records, which must replay for ever.

``python -m tests.sdk.rules.golden_records`` adds those that are missing, and changes none.
"""

from pathlib import Path
from typing import Any

import kibitz
from kibitz import Record, testing
from kibitz.seal import sealed

FOLDER = Path(__file__).parents[2] / "golden" / "records"
SHORT = {"german_whist": "hands:2", "three_handed_whist": "full", "whist": "deals:4"}
GATHERED = {"shuffle": "never", "all_pass": "same_dealer"}
# A name, the game, and its options; what they leave out is the default.
RECORDS: dict[str, tuple[str, dict[str, Any]]] = {
    "german_whist": ("german_whist", {}),
    "german_whist.honeymoon": (
        "german_whist",
        {"follow1": False, "count": "all", "jokers": True, "end": "points:3", "max_deals": 5},
    ),
    "german_whist.tricks": ("german_whist", {"hand_score": "tricks", "end": "points:20"}),
    "german_whist.over6": ("german_whist", {"hand_score": "over6", "jokers": True}),
    "whist": ("whist", {}),
    "whist.short": ("whist", {"end": "game:5", "honours": True}),
    "whist.rubber": ("whist", {"end": "rubber:5", "honours": True}),
    "whist.cycle": ("whist", {"trump": "cycle", "cycle": ["NT", "S", "H", "D", "C"]}),
    "solo_whist": ("solo_whist", {"end": "deals:8"}),
    "solo_whist.fagelson": (
        "solo_whist",
        {
            "prop_need": 7,
            "rounds": "single",
            "uncopped": "raise_solo",
            "declared_trump": "bidder",
        },
    ),
    "solo_whist.grand_slam": (
        "solo_whist",
        {"prop": False, "slams": True, "shuffle": "after_high", "trump": "cycle", "end": "deals:8"},
    ),
    "solo_whist.second_pack": ("solo_whist", {"trump": "second_pack", "overtricks": 5}),
    "solo_whist.never": ("solo_whist", {**GATHERED, "deal": "rotating4", "play_out": "always"}),
    "solo_whist.irish": ("solo_whist", {"variant": "irish", "deal": "ones"}),
    "solo_whist.irish3": ("solo_whist", {"variant": "irish3", "shuffle": "never"}),
    "three_handed_whist": ("three_handed_whist", {}),
    "three_handed_whist.bottom": ("three_handed_whist", {"cut": "bottom", "name_trump": "after"}),
    "whiskey": ("whiskey", {}),
    "whiskey.target": (
        "whiskey",
        {"first_call": "left", "end_passes": 2, "end": "target:9", "max_deals": 6},
    ),
    "whos_who": ("whos_who", {}),
    "whos_who.large": (
        "whos_who",
        {"pack": 54, "objective": "revised", "end": "target:40", "max_deals": 9},
    ),
    "ottocento": ("ottocento", {}),
    "ottocento.long_hands": ("ottocento", {"deal": "19+5", "loss": "each", "pips": "uniform"}),
}


def played(name: str) -> str:
    """Return the text of a sealed record: a match at random, one deal in ten forfeited."""
    game, options = RECORDS[name]
    if "end" not in options:
        short = 3 if options.get("variant") == "irish3" else 4 if game == "solo_whist" else 3
        options = {**options, "end": SHORT.get(game, f"deals:{short}")}
    match = testing.random_match(kibitz.game(game, **options), seed=len(name))
    return Record(sealed(match.record().data, match)).to_json() + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in RECORDS:
        if not (path := FOLDER / f"{one}.json").exists():
            path.write_text(played(one), encoding="utf-8")
