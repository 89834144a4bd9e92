"""Formats by name, made from options that come from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from pydantic import TypeAdapter, ValidationError

from kibitz_worker.schedule.formats.gauntlet import Gauntlet
from kibitz_worker.schedule.formats.halving import Halving
from kibitz_worker.schedule.formats.individual import Individual
from kibitz_worker.schedule.formats.knockout import Knockout
from kibitz_worker.schedule.formats.ladder import Ladder
from kibitz_worker.schedule.formats.round_robin import RoundRobin
from kibitz_worker.schedule.formats.shape import Format, FormatError
from kibitz_worker.schedule.formats.swiss import Swiss
from kibitz_worker.schedule.formats.versus import Versus

AnyFormat = RoundRobin | Gauntlet | Swiss | Knockout | Halving | Ladder | Versus | Individual

FORMATS: dict[str, type[AnyFormat]] = {
    kind.name: kind
    for kind in (RoundRobin, Gauntlet, Swiss, Knockout, Halving, Ladder, Versus, Individual)
}


def format_named(name: str, options: Mapping[str, object] | None = None) -> AnyFormat:
    """Return a format with its options.

    Raises FormatError: FORMAT_UNKNOWN, FORMAT_OPTION (an option it has not, or a value of another
    kind).
    """
    kind = FORMATS.get(name)
    if kind is None:
        raise FormatError(
            f"there is no format {name[:40]!r}; formats: {', '.join(FORMATS)}",
            reason="FORMAT_UNKNOWN",
        )
    known = [field.name for field in fields(kind)]
    for option in options or {}:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise FormatError(
                f"{kind.title} has no option {option[:40]!r}; {has}",
                reason="FORMAT_OPTION",
                option=option[:40],
            )
    try:
        return TypeAdapter[AnyFormat](kind).validate_python(dict(options or {}))
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0]) if first["loc"] else ""
        raise FormatError(
            f"{kind.title}, option {option}: {first['msg']}", reason="FORMAT_OPTION", option=option
        ) from error


def format_options(chosen: Format) -> dict[str, Any]:
    """Return all options of a format, as JSON values."""
    return asdict(chosen)  # type: ignore[call-overload, no-any-return]
