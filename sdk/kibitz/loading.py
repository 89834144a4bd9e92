"""Finding a bot by what the user typed: a shipped bot, a folder, a file, or ``module:Class``."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.bot import Bot, as_bot
from kibitz.errors import BotError
from kibitz.faults import blame
from kibitz.manifest import FILE, Manifest

SHIPPED = {
    "random": "kibitz.bots.chance:Random",
    "careful": "kibitz.bots.careful:Careful",
    "search": "kibitz.bots.search:Search",
}

_loading = 0


def in_progress() -> bool:
    """Whether a bot's file is being imported right now."""
    return _loading > 0


def load_bot(spec: str | Path) -> Bot:
    """Return the bot that a text or path names.

    Args:
        spec: ``random``, ``careful`` or ``search``; a folder with ``kibitz.toml``;
            ``path/to/bot.py`` or ``path/to/bot.py:Name``; or ``module:Name``.

    Raises:
        BotError: nothing of that name, the code fails while it is imported (``where`` has file and
            line), it holds no bot, or it is a program that runs only as a process.
        ManifestError: the folder's ``kibitz.toml`` is wrong.
    """
    text = os.fspath(spec)
    if text in SHIPPED:
        module, _, name = SHIPPED[text].partition(":")
        return as_bot(getattr(importlib.import_module(module), name))
    path, _, name = text.rpartition(":") if ".py:" in text else (text, "", "")
    if Path(path).is_dir():
        return _from_folder(Path(path))
    if Path(path).is_file():
        return _from_file(Path(path), name)
    if ":" in text and not os.path.dirname(text):
        return _from_module(text)
    raise _unknown(text)


def _unknown(text: str) -> BotError:
    return BotError(
        f"no bot {text!r}: give {', '.join(SHIPPED)}, a folder with kibitz.toml, "
        "a file bot.py, or module:Class",
        reason="BOT_NOT_FOUND",
    )


def _from_folder(folder: Path) -> Bot:
    manifest = Manifest.read(folder)
    if manifest.command:
        raise BotError(
            f"{folder}: {manifest.name} is a program of its own ({' '.join(manifest.command)}); "
            f"it plays over gRPC only: kibitz connect {folder} --to HOST:PORT",
            reason="BOT_IS_A_PROGRAM",
        )
    module, _, name = manifest.entry.partition(":")
    bot = _pick(_import_in(folder, module), name, str(folder))
    bot.name = manifest.name
    bot.games = manifest.games
    return bot


def _from_file(file: Path, name: str) -> Bot:
    if file.suffix != ".py":
        raise BotError(
            f"{file} is no Python file; a bot is a folder with kibitz.toml or a file bot.py",
            reason="BOT_NOT_FOUND",
            where=str(file),
        )
    manifest = file.parent / FILE
    if (
        not name
        and manifest.is_file()
        and Manifest.read(file.parent).entry.startswith(f"{file.stem}:")
    ):
        return _from_folder(file.parent)
    return _pick(_import_in(file.parent, file.stem), name, str(file))


def _from_module(text: str) -> Bot:
    module, _, name = text.partition(":")
    with _import_from(Path.cwd()):
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name and module.startswith(error.name):
                raise _unknown(text) from None
            raise blame(error, f"{text} cannot be imported", "BOT_NOT_LOADED") from error
        except (Exception, SystemExit) as error:
            raise blame(error, f"{text} cannot be imported", "BOT_NOT_LOADED") from error
    return _pick(found, name, text)


def _import_in(folder: Path, name: str) -> ModuleType:
    """Import a module that lies in a bot's folder, whatever else bears the same name.

    Two bots may both be ``bot.py`` and both ``import net``: the entry gets a name of its own, and
    the siblings it imported are forgotten afterwards, so that the next bot finds its own.
    """
    folder = folder.resolve()
    file = folder.joinpath(*name.split(".")).with_suffix(".py")
    if not file.is_file():
        raise BotError(
            f"{folder} has no {name.replace('.', '/')}.py",
            reason="BOT_NOT_FOUND",
            where=str(folder),
        )
    digest = hashlib.sha256(str(file).encode()).hexdigest()[:12]
    unique = f"kibitz_bot_{digest}_{file.stem}"
    loader = SourceFileLoader(unique, str(file))
    module = importlib.util.module_from_spec(ModuleSpec(unique, loader, origin=str(file)))
    module.__file__ = str(file)
    sys.modules[unique] = module
    with _import_from(folder):
        try:
            loader.exec_module(module)
        except (Exception, SystemExit) as error:
            del sys.modules[unique]
            raise blame(error, f"{file} cannot be imported", "BOT_NOT_LOADED") from error
        finally:
            _forget_siblings(folder, unique)
    return module


def _forget_siblings(folder: Path, unique: str) -> None:
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name != unique and not name.startswith("kibitz_bot_") and name != "__main__":
            path = Path(file)
            if (
                path.is_relative_to(folder)
                and "site-packages" not in path.relative_to(folder).parts
            ):
                del sys.modules[name]


@contextmanager
def _import_from(folder: Path) -> Iterator[None]:
    """Let imports find a folder first. It stays on the path, for what a bot imports later."""
    global _loading  # noqa: PLW0603
    text = str(folder)
    if text in sys.path:
        sys.path.remove(text)
    sys.path.insert(0, text)
    _loading += 1
    try:
        yield
    finally:
        _loading -= 1


def _pick(module: ModuleType, name: str, what: str) -> Bot:
    """Return the bot of a module: the one named, or the only one that can be meant."""
    if name:
        if not hasattr(module, name):
            raise BotError(
                f"{what}: {module.__file__} has no {name}",
                reason="BOT_NOT_FOUND",
                where=str(module.__file__),
            )
        return as_bot(getattr(module, name))
    candidates = _candidates(module)
    if len(candidates) == 1:
        return as_bot(candidates[0])
    names = ", ".join(getattr(each, "__name__", repr(each)) for each in candidates)
    raise BotError(
        f"{what} holds several bots ({names}); say which: {what}:NAME"
        if candidates
        else f"{what} holds no bot: no subclass of kibitz.Bot, no function agent(view)",
        reason="BOT_NOT_FOUND",
        where=str(module.__file__),
    )


def _candidates(module: ModuleType) -> list[Any]:
    made = getattr(module, "bot", None)
    if isinstance(made, Bot):
        return [made]
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    agent = getattr(module, "agent", None)
    return own or ([agent] if callable(agent) else [])
