"""``kibitz.toml``: what a bot's folder says about the bot."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple, Self

from kibitz.errors import KibitzError

FILE = "kibitz.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_ENTRY = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)
_KEYS = ("name", "entry", "command", "games", "description")


class ManifestError(KibitzError):
    """A ``kibitz.toml`` is missing or says something that cannot be."""


class Manifest(NamedTuple):
    """The contents of a ``kibitz.toml``.

    Attributes:
        name: letters, digits, ``_ . -``, at most 40.
        entry: ``module:Name`` of a class or function; empty if the bot is a program.
        command: the program and its arguments; empty if the bot is Python.
        games: the games the bot plays; empty for all.
        description: one line for people, at most 200 characters.
    """

    name: str
    entry: str = ""
    command: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the manifest of a bot's folder.

        Raises:
            ManifestError: there is none, or what it says is wrong.
        """
        file = folder / FILE
        try:
            text = file.read_text("utf-8")
        except NotADirectoryError:
            raise ManifestError(
                f"{folder} is a file; a folder with {FILE} is needed (`kibitz new` makes one)",
                reason="MANIFEST_MISSING",
            ) from None
        except FileNotFoundError:
            raise ManifestError(
                f"{folder} has no {FILE}; `kibitz new` makes a bot with one",
                reason="MANIFEST_MISSING",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise ManifestError(
                f"{file} cannot be read: {error}", reason="MANIFEST_UNREADABLE"
            ) from error
        return cls.parse(text, str(file))

    @classmethod
    def parse(cls, text: str, source: str = FILE) -> Self:
        """Read a manifest's text; ``source`` is how errors call it.

        Raises:
            ManifestError: it is no TOML, or a key is missing, unknown or has a wrong value.
        """
        try:
            table = tomllib.loads(text).get("bot")
        except tomllib.TOMLDecodeError as error:
            raise ManifestError(f"{source}: {error}", reason="MANIFEST_NOT_TOML") from error
        if not isinstance(table, dict):
            raise _wrong(source, "needs a table [bot] with name and entry")
        for key in table:
            if key not in _KEYS:
                meant = get_close_matches(key, _KEYS, 1)
                hint = f"did you mean {meant[0]}?" if meant else f"known are {', '.join(_KEYS)}"
                raise _wrong(source, f"unknown key {key!r}; {hint}")
        manifest = cls(
            _text(table, "name", source),
            _text(table, "entry", source),
            _texts(table, "command", source),
            _texts(table, "games", source),
            _text(table, "description", source),
        )
        manifest._check(source)
        return manifest

    def _check(self, source: str) -> None:
        if not _NAME.fullmatch(self.name):
            raise _wrong(
                source,
                f"name {self.name!r:.60}: must be 1 to 40 letters, digits, '_', '.' and '-', "
                "a letter or digit first",
            )
        if bool(self.entry) == bool(self.command):
            raise _wrong(
                source, 'give either entry = "module:Class" or command = ["program", "argument"]'
            )
        if self.entry and not _ENTRY.fullmatch(self.entry):
            raise _wrong(
                source, f'entry {self.entry!r:.60}: must be "module:Class" or "module:function"'
            )
        if self.command and not self.command[0]:
            raise _wrong(source, "command: the first element must name a program")
        if len(self.description) > 200:
            raise _wrong(source, f"description has {len(self.description)} characters; 200 at most")
        self._check_games(source)

    def _check_games(self, source: str) -> None:
        import kibitz  # noqa: PLC0415 (kibitz imports the bots)

        known = tuple(kibitz.games())
        for game in self.games:
            if game not in known:
                meant = get_close_matches(game, known, 1)
                hint = f"did you mean {meant[0]}?" if meant else f"known are {', '.join(known)}"
                raise _wrong(source, f"no game {game!r:.60}; {hint}")


def _wrong(source: str, what: str) -> ManifestError:
    return ManifestError(f"{source}: {what}", reason="MANIFEST_WRONG")


def _text(table: Mapping[str, object], key: str, source: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or any(ord(char) < 32 for char in value):
        raise _wrong(source, f"{key} must be a text of one line")
    return value


def _texts(table: Mapping[str, object], key: str, source: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _wrong(source, f"{key} must be a list of texts")
    return tuple(value)
