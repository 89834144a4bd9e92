"""Where in a bot a fault lies: file, line and traceback for its author, without our own frames."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kibitz.errors import BotError

_OURS = Path(__file__).parent
_LIBRARY = Path(inspect.__file__).parent  # the interpreter's own


def blame(error: BaseException, what: str, reason: str = "BOT_RAISED") -> BotError:
    """Return a ``BotError`` that tells of an exception a bot raised.

    Its ``where`` is the ``file:line`` the author should look at, its ``traceback`` begins in the
    bot's own code. An error that is a ``BotError`` already is returned as it is.
    """
    if isinstance(error, BotError):
        return error
    frames = traceback.extract_tb(error.__traceback__)
    while frames and Path(frames[0].filename).parent == _OURS:
        del frames[0]
    own = [frame for frame in frames if not _foreign(frame.filename)]
    where = f"{own[-1].filename}:{own[-1].lineno}" if own else _syntax(error)
    story = "".join(
        [
            *(["Traceback (most recent call last):\n"] if frames else []),
            *frames.format(),
            *traceback.format_exception_only(error),
        ]
    )
    said, name = _words(error), type(error).__name__
    text = whole(f"{what}: {name}: {said}" if said else f"{what}: {name}")
    return BotError(text, reason=reason, where=where, traceback=whole(story))


def whole(text: str) -> str:
    """Return a text without half characters (lone surrogates), which no message can hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def _words(error: BaseException) -> str:
    """Return what an exception says; the words of one that fails even at that are lost."""
    try:
        return str(error)
    except Exception:
        return "(it cannot be shown)"


def definition(function: Callable[..., Any]) -> str:
    """Return the ``file:line`` where a function is defined, empty if that is not known."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        code = getattr(getattr(function, "__func__", None), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def _syntax(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    return ""


def _foreign(filename: str) -> bool:
    """Whether a frame is a library's or the interpreter's, where no author looks for his fault."""
    return (
        filename.startswith("<")
        or "site-packages" in filename
        or Path(filename).parent == _OURS
        or Path(filename).is_relative_to(_LIBRARY)
    )
