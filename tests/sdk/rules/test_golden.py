"""Games do what they did: action numbers, whole deals in text, counts of ways to play."""

import kibitz
import pytest

from tests.sdk.rules.golden import FOLDER, actions, files


@pytest.mark.parametrize("name", kibitz.games())
def test_a_game_does_what_its_golden_files_say(name: str) -> None:
    for path, made in files(name).items():
        assert made() == path.read_text(), f"{path.name}: see tests/sdk/rules/golden.py"


@pytest.mark.parametrize("name", kibitz.games())
def test_action_numbers_are_cards_first_and_never_move(name: str) -> None:
    game = kibitz.game(name)
    assert actions(name).startswith((FOLDER / "actions" / f"{name}.txt").read_text())
    assert game.actions.names[: len(game.cards.codes)] == game.cards.codes


def test_there_is_no_golden_file_of_a_game_that_is_gone() -> None:
    known = {path for name in kibitz.games() for path in files(name)}
    folders = {path.parent for path in known}
    assert folders == {FOLDER / name for name in ("actions", "perft", "playthroughs")}
    assert {path for folder in folders for path in folder.glob("*.txt")} == known
