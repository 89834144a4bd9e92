"""Options of games: what values they can have, and what to say when they have another."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from kibitz.errors import OptionError

LARGEST = 1_000_000_000


@dataclass(frozen=True)
class End:
    """A way for a match to end: ``kind:N`` with N a multiple of ``step`` (or only ``only``)."""

    kind: str
    step: int = 1
    only: int | None = None

    def fits(self, n: int) -> bool:
        """Return whether ``kind:n`` is allowed."""
        return n == self.only if self.only is not None else n >= 1 and n % self.step == 0

    def __str__(self) -> str:
        if self.only is not None:
            return f"{self.kind}:{self.only}"
        return f"{self.kind}:N" + (f" with N a multiple of {self.step}" if self.step > 1 else "")


@dataclass(frozen=True)
class Allowed:
    """The values an option can have: some listed ones, ends, or whole numbers from ``least``.

    ``words`` say it where more is asked of the values than can be said of this option alone.
    """

    values: tuple[object, ...] = ()
    ends: tuple[End, ...] = ()
    least: int | None = None
    members: tuple[str, ...] = ()
    words: str = ""

    def check(self, value: object) -> bool:
        """Return whether the value is allowed."""
        if self.ends:
            return isinstance(value, str) and self._fits_end(value)
        if self.least is not None:
            return type(value) is int and self.least <= value <= LARGEST
        if self.members:
            return (
                isinstance(value, tuple)
                and 1 <= len(value) <= 1000
                and all(isinstance(member, str) and member in self.members for member in value)
            )
        return any(type(value) is type(one) and value == one for one in self.values)

    def _fits_end(self, value: str) -> bool:
        found = re.fullmatch(r"([a-z]+):([1-9][0-9]{0,8})", value)
        return value in self.values or (
            found is not None
            and any(end.kind == found[1] and end.fits(int(found[2])) for end in self.ends)
        )

    def __str__(self) -> str:
        if self.words:
            return self.words
        if self.ends:
            words = [str(value) for value in self.values if ":" not in str(value)]
            return " or ".join([*words, *map(str, self.ends)])
        if self.least is not None:
            return f"a whole number from {self.least}"
        if self.members:
            return "a list of " + " ".join(self.members)
        return " or ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in self.values)


def option(*values: object) -> Any:
    """Declare an option by its values; the first is the default."""
    return _field(values[0], Allowed(values=values))


def end(default: str, *ends: End) -> Any:
    """Declare how matches may end; a default without a colon is a word of its own."""
    return _field(default, Allowed(values=(default,) if ":" not in default else (), ends=ends))


def whole(default: int, least: int = 1) -> Any:
    """Declare an option that is a whole number."""
    return _field(default, Allowed(least=least))


def several(default: tuple[str, ...], members: tuple[str, ...]) -> Any:
    """Declare an option that is a list of texts."""
    return _field(default, Allowed(members=members))


def _field(default: object, allowed: Allowed) -> Any:
    return field(default=default, metadata={"allowed": allowed})


def allowed(game: Any) -> dict[str, Allowed]:
    """Return what each option of a game (or class of game) can be, in the order of its table."""
    return {one.name: one.metadata["allowed"] for one in fields(game)}


def check_options(name: str, game: Any, values: Mapping[str, object]) -> None:
    """Raise ``OptionError`` for the first value that its option cannot have."""
    known = allowed(game)
    for key, value in values.items():
        if key not in known:
            raise unknown("option", key, list(known), of=name)
        if not known[key].check(value):
            shown = list(value) if isinstance(value, tuple) else value
            plain = ", N with no leading zero" if re.search(r":0\d", str(value)) else ""
            raise OptionError(
                f"{name}: {key} cannot be {shown!r:.60}; it can be {known[key]}{plain}", option=key
            )


def unknown(kind: str, key: object, known: list[str], of: str = "") -> OptionError:
    """Return the error for a name that does not exist, with the nearest that does."""
    near = get_close_matches(str(key)[:60], known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    owner = f"{of}: " if of else ""
    listing = " ".join(known) if known else "none"
    return OptionError(
        f"{owner}there is no {kind} {str(key)[:60]!r}; {hint}{kind}s are: {listing}",
        option=str(key)[:60],
        reason=f"UNKNOWN_{kind.upper()}",
    )
