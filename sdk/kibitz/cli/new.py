"""``kibitz new``: the folder of a new bot."""

from __future__ import annotations

import os
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from kibitz.cli.arguments import complete_game

TEMPLATES = Path(__file__).parent / "templates"


def new(
    name: Annotated[str, typer.Argument(help="The folder to make; its last part names the bot.")],
    game: Annotated[
        str, typer.Option("--game", "-g", help="The game.", autocompletion=complete_game)
    ] = "german_whist",
) -> None:
    """Make a new bot: a folder with bot.py, test_bot.py and kibitz.toml, ready to play."""
    import kibitz
    from kibitz.cli.failures import CommandError
    from kibitz.manifest import Manifest

    folder = Path(name)
    known = kibitz.game(game)
    values = {
        "name": folder.resolve().name,
        "game": game,
        "title": game.replace("_", " ").title(),
        "class_name": _class_name(folder.resolve().name),
        "bots": ", ".join(['"random"'] * (known.players - 1)),
    }
    manifest = Template((TEMPLATES / "kibitz.toml.txt").read_text("utf-8")).substitute(values)
    Manifest.parse(manifest, name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(
            f"{folder} exists and is not empty; nothing was changed", reason="EXISTS"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kibitz.toml").write_text(manifest, "utf-8")
    for file, template in (("bot.py", _bot_template(game)), ("test_bot.py", "test_bot.py.txt")):
        text = Template((TEMPLATES / template).read_text("utf-8")).substitute(values)
        (folder / file).write_text(text, "utf-8")
    _tell(folder, game, known.players)


def _bot_template(game: str) -> str:
    """A game with calls has a template of its own, where there is one."""
    own = f"bot_{game}.py.txt"
    return own if (TEMPLATES / own).is_file() else "bot.py.txt"


def _class_name(name: str) -> str:
    words = "".join(char if char.isalnum() and char.isascii() else " " for char in name).split()
    joined = "".join(word[:1].upper() + word[1:] for word in words)
    return joined if joined[:1].isalpha() and joined not in {"Bot", "View"} else f"My{joined}"


def _tell(folder: Path, game: str, players: int) -> None:
    others = " ".join(["careful", "random", "random"][: players - 1])
    print(f"{folder}/ holds a bot for {game}: bot.py, test_bot.py and kibitz.toml. Next:")
    print(f"  kibitz play {game} {folder} {others}")
    print(f"  python -m pytest {folder}")
    server = os.environ.get("KIBITZ_URL") or "http://localhost:8000"
    print(f"  kibitz submit {folder} --to {server}")
