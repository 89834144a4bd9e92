"""Arguments that several commands share, and their completion in the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    import kibitz as rules


def complete_game(incomplete: str) -> list[str]:
    """Return the games that begin so."""
    import kibitz

    return [name for name in kibitz.games() if name.startswith(incomplete)]


def complete_bot(incomplete: str) -> list[str]:
    """Return the shipped bots, and the folders and files here that may be bots."""
    from pathlib import Path

    from kibitz.loading import SHIPPED

    folder, _, start = incomplete.rpartition("/")
    found = [name for name in SHIPPED if name.startswith(incomplete)]
    try:
        for path in sorted(Path(folder or ".").iterdir()):
            is_bot = path.suffix == ".py" or (path / "kibitz.toml").is_file()
            if is_bot and path.name.startswith(start):
                found.append(f"{folder}/{path.name}" if folder else path.name)
    except OSError:
        return found
    return found


Game: TypeAlias = Annotated[
    str, typer.Argument(help="The game; `kibitz games` lists them.", autocompletion=complete_game)
]
To: TypeAlias = Annotated[
    str | None,
    typer.Option(help="The server.  \\[default: KIBITZ_URL or http://localhost:8000]"),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Options: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game; repeatable."),
]
Preset: TypeAlias = Annotated[
    str | None, typer.Option(help="A named variant of the game; --option goes before it.")
]


def make_game(name: str, preset: str | None, words: list[str] | None) -> rules.Game:
    """Return the game that the arguments describe.

    An option's text is taken as what the option can be: a text, a number, true or false, or a list
    with commas.

    Raises:
        CommandError: a word is no ``KEY=VALUE``, or a key comes twice.
        OptionError: there is no such game, preset, option or value.
    """
    import kibitz
    from kibitz.cli.failures import CommandError
    from kibitz.games import game_class
    from kibitz.options import allowed

    known = allowed(game_class(name))
    options: dict[str, object] = {}
    for word in words or []:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise CommandError(f"--option {word!r}: must be KEY=VALUE", reason="BAD_OPTION")
        if key in options:
            raise CommandError(f"--option {key} is given twice", reason="BAD_OPTION")
        readings = _readings(text)
        fits = [each for each in readings if key in known and known[key].check(each)]
        options[key] = fits[0] if fits else text
    return kibitz.game(name, preset, **options)


def _readings(text: str) -> list[object]:
    readings: list[object] = [text]
    if text in {"true", "false"}:
        readings.append(text == "true")
    if text.isascii() and text.isdigit() and len(text) < 10:
        readings.append(int(text))
    return [*readings, tuple(text.strip("[]").replace('"', "").replace(" ", "").split(","))]
