"""The games, one short file each, and how to get one by its name."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz.errors import OptionError
from kibitz.game import Game
from kibitz.options import check_options, unknown

NAMES = (
    "german_whist",
    "whist",
    "solo_whist",
    "three_handed_whist",
    "whiskey",
    "whos_who",
    "ottocento",
)
"""The games that come with the library, in the order of the rules table."""

_ADDED: dict[str, type[Game]] = {}


def games() -> list[str]:
    """Return the names of all games, those added by :func:`add_game` last."""
    return [name for name in NAMES if find_spec(f"kibitz.games.{name}")] + list(_ADDED)


def add_game(kind: type[Game]) -> type[Game]:
    """Make a game of one's own known by its name; can be used as a decorator.

    Raises:
        OptionError: there is a game of that name already.
    """
    if kind.name in NAMES or _ADDED.get(kind.name, kind) is not kind:
        raise OptionError(f"there is a game called {kind.name!r} already", reason="GAME_EXISTS")
    _ADDED[kind.name] = kind
    return kind


def remove_game(name: str) -> None:
    """Forget a game that :func:`add_game` made known."""
    _ADDED.pop(name, None)
    _made.cache_clear()


def game_class(name: str) -> type[Game]:
    """Return the class of a game.

    Raises:
        OptionError: there is no such game.
    """
    if name in _ADDED:
        return _ADDED[name]
    if name not in games():
        raise unknown("game", name, games())
    module = import_module(f"kibitz.games.{name}")
    return next(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__dict__.get("name") == name
    )


def game(name: str, /, preset: str | None = None, **options: Any) -> Game:
    """Return a game by its name, with its options.

    A preset is a bundle of options with a name; options given as well win over it. The game is
    hashable, can be pickled, and is the same object for the same options.

    Raises:
        OptionError: there is no such game, preset or option, or an option cannot have that value.
    """
    kind = game_class(name)
    if preset is not None and preset not in kind.presets:
        raise unknown("preset", preset, list(kind.presets), of=name)
    bundle = kind.presets[preset] if preset is not None else {}
    return game_from_options(name, {**bundle, **options})


def game_from_options(name: str, options: Mapping[str, Any]) -> Game:
    """Return a game with options as records hold them, which know no presets.

    Raises:
        OptionError: there is no such game or option, or an option cannot have that value.
    """
    kind = game_class(name)
    chosen = {key: tuple(one) if isinstance(one, list) else one for key, one in options.items()}
    check_options(name, kind, chosen)
    return _made(name, tuple((key, type(value), value) for key, value in sorted(chosen.items())))


@lru_cache(maxsize=1024)
def _made(name: str, chosen: tuple[tuple[str, type, Any], ...]) -> Game:
    return game_class(name)(**{key: value for key, _, value in chosen})
