"""Reading and writing the text of records, and checking their form before anything trusts them."""

import json
import math
import os
from pathlib import Path
from typing import Any

from kibitz.errors import RecordError

LARGEST = 64 * 1024 * 1024
DEALS = 10_000
ACTIONS = 10_000


def read_file(path: Path) -> bytes:
    """Return the bytes of a record's file.

    Raises:
        RecordError: it cannot be read, or is larger than 64 MiB.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise RecordError(
                f"{path} has {size} bytes; a record has at most {LARGEST}", reason="TOO_LARGE"
            )
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or str(error)
        raise RecordError(
            f"cannot read {str(path)!r:.200}: {detail}", reason="UNREADABLE"
        ) from error


def write_file(path: Path, text: str) -> None:
    """Put a text into a file; whoever reads it meanwhile sees the old one whole.

    Raises:
        RecordError: it cannot be written.
    """
    import tempfile  # noqa: PLC0415 (slow to import, and no bot needs it)

    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise RecordError(f"cannot write {path}: {error.strerror}", reason="UNWRITABLE") from error


def parse(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object of a text.

    Raises:
        RecordError: it is too large, not UTF-8, not JSON, doubles a key or is no object.
    """
    if len(text) > LARGEST:
        raise RecordError(f"a record has at most {LARGEST} bytes", reason="TOO_LARGE")
    try:
        data = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_float
        )
    except json.JSONDecodeError as error:
        raise RecordError(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}", reason="NOT_JSON"
        ) from error
    except RecursionError as error:
        raise RecordError("not a record: nested too deeply", reason="NOT_JSON") from error
    except ValueError as error:
        raise RecordError(f"not JSON: {error!s:.200}", reason="NOT_JSON") from error
    if not isinstance(data, dict):
        raise RecordError("a record is a JSON object", reason="NOT_A_RECORD")
    _check_whole(data, text)
    return data


def _check_whole(data: object, text: str | bytes) -> None:
    """Refuse half a character (a lone surrogate): JSON has them, no file can."""
    plain = text if isinstance(text, str) else text.decode("utf-8", "replace")
    if "\\ud" not in plain.lower():
        return
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError) as error:
        raise RecordError(f"not JSON: {error!s:.200}", reason="NOT_JSON") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        doubled = next(key for key, _ in pairs if sum(key == one for one, _ in pairs) > 1)
        raise ValueError(f"the key {doubled!r} stands twice in one object")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number that JSON allows")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits:.40} is too large a number")
    return number


def check(data: object, form: str) -> None:
    """Check that a record has its keys, and of the right types.

    Raises:
        RecordError: says which key is wrong and what would be right.
    """
    if not isinstance(data, dict):
        raise RecordError("a record is a JSON object", reason="NOT_A_RECORD")
    if data.get("format") != form:
        raise RecordError(
            f"format is {data.get('format')!r:.60}, not {form!r}", reason="UNKNOWN_FORMAT"
        )
    _key(data, "", "game", "a text", lambda v: isinstance(v, str))
    _key(data, "", "options", "an object", lambda v: isinstance(v, dict))
    _key(data, "", "seats", "a list of texts", lambda v: _list_of(v, _text))
    right = f"a list of objects, {DEALS} at most"
    _key(data, "", "deals", right, lambda v: _list_of(v, _is_object, DEALS))
    _key(data, "", "totals", "a list of numbers", lambda v: _list_of(v, _number))
    _key(
        data,
        "",
        "returns",
        "a list of numbers or null",
        lambda v: v is None or _list_of(v, _number),
    )
    if not isinstance(data.get("unfinished", False), bool):
        raise RecordError("unfinished must be true or false")
    for index, deal in enumerate(data["deals"]):
        _check_deal(deal, index)


def _check_deal(deal: dict[str, Any], index: int) -> None:
    where = f"deal {index}: "
    _key(deal, where, "number", "a whole number", _whole, index)
    _key(deal, where, "dealer", "a whole number", _whole, index)
    _key(deal, where, "deck", "a list of card codes", lambda v: _list_of(v, _text, 64), index)
    _key(deal, where, "cut", "a card code or null", lambda v: v is None or _text(v), index)
    _key(
        deal,
        where,
        "actions",
        "a list of pairs [seat, code]",
        lambda v: _list_of(v, _is_pair, ACTIONS),
        index,
    )
    _key(deal, where, "scores", "a list of numbers", lambda v: _list_of(v, _number), index)
    forfeit = deal.get("forfeit")
    if forfeit is not None and not (
        isinstance(forfeit, dict) and _whole(forfeit.get("seat")) and _text(forfeit.get("reason"))
    ):
        raise RecordError(f'{where}forfeit must be {{"seat": S, "reason": "..."}}', deal=index)
    _check_remarks(deal, where, index)


def _check_remarks(deal: dict[str, Any], where: str, index: int) -> None:
    kinds = (
        ("comments", "[number of an action, text]", _text),
        ("policies", "[number of an action, probabilities]", lambda v: _list_of(v, _number, 512)),
    )
    numbers = range(len(deal["actions"]))
    for key, right, fits in kinds:
        entries = deal.get(key, [])
        sound = _list_of(entries, lambda v: isinstance(v, list) and len(v) == 2, ACTIONS)
        if not (sound and all(_whole(n) and n in numbers and fits(said) for n, said in entries)):
            raise RecordError(f"{where}{key} must be a list of pairs {right}", deal=index)


def check_seats(deal: dict[str, Any], index: int, seats: int) -> None:
    """Check that a deal of the right form has a score for each seat and names only such seats.

    Raises:
        RecordError: says what does not fit.
    """
    where = f"deal {index}: "
    if len(deal["scores"]) != seats:
        text = f"{where}scores must be {seats} numbers, one a seat, not {len(deal['scores'])}"
        raise RecordError(text, deal=index, reason="WRONG_SCORES")
    forfeit = deal.get("forfeit")
    if forfeit is not None and not 0 <= forfeit["seat"] < seats:
        raise RecordError(
            f"{where}forfeit: there is no seat {forfeit['seat']}; seats are 0 to {seats - 1}",
            deal=index,
            reason="NO_SEAT",
        )


def _key(
    data: dict[str, Any], where: str, key: str, right: str, fits: Any, deal: int | None = None
) -> None:
    if key not in data:
        raise RecordError(f"{where}{key} is missing; it must be {right}", deal=deal)
    if not fits(data[key]):
        raise RecordError(f"{where}{key} must be {right}, not {data[key]!r:.60}", deal=deal)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _whole(value: object) -> bool:
    return type(value) is int


def _number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) < 1e12


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and _whole(value[0]) and _text(value[1])


def _list_of(value: object, fits: Any, most: int = 64) -> bool:
    return isinstance(value, list) and len(value) <= most and all(fits(one) for one in value)
