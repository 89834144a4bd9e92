"""Texts that every database can hold.

PostgreSQL refuses the character NUL and no database takes half of a surrogate pair; bots can write
both, and anybody can ask for a name that holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, event

ODD = "\ufffd"
"""What stands for a character that cannot be stored."""


def storable(text: str) -> str:
    """Return a text with everything that cannot be stored replaced by the sign U+FFFD."""
    if text.isascii():
        return text.replace("\0", ODD)
    plain = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain.replace("\0", ODD)


def make_storable(engine: Engine) -> None:
    """Let all texts that statements of this engine carry be storable ones."""
    event.listen(engine, "before_cursor_execute", _mend, retval=True)


def _mend(
    _connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool
) -> tuple[str, Any]:
    if isinstance(parameters, list):  # the statement is executed once for each
        return statement, [_mended(each) for each in parameters]
    return statement, _mended(parameters)


def _mended(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {key: _text(value) for key, value in values.items()}
    return tuple(_text(value) for value in values)


def _text(value: Any) -> Any:
    return storable(value) if type(value) is str and not value.isalnum() else value
