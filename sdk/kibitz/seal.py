"""The chain of hashes of a record: each deal is tied to all that was written before it.

Of every deal the record says ``events``, the beginning of a SHA-256 of all that happened in it, by
which a replay shows that the rules still do the same, and ``chain``, the SHA-256 of the link before
it and of the deal itself. The first link is of what was fixed before play (format, game, options,
seats, rules), the last one, ``chain`` of the record, of the rest. Hashes are in hexadecimal digits;
JSON is hashed with sorted keys, without spaces, in UTF-8.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kibitz.errors import RecordError
from kibitz.fingerprint import events_of, rules_of

if TYPE_CHECKING:
    from kibitz.deal import Deal
    from kibitz.match import Match

EVENTS_DIGITS = 16
BEFORE = ("format", "game", "options", "seats", "rules")


def sealed(data: Mapping[str, Any], match: "Match") -> dict[str, Any]:
    """Return a record's data with its hashes, made anew.

    Args:
        data: the record as JSON holds it; it must be true of the match.
        match: the match as replayed by the rules of today, which are named in the record.
    """
    deals = [
        {**_without(written, "chain"), "events": events_hash(played.deal)}
        for written, played in zip(data["deals"], match.played, strict=True)
    ]
    found = {**_without(data, "chain"), "rules": rules_of(match.game), "deals": deals}
    return chained(found)


def chained(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record's data with the links of its chain, made anew."""
    *links, last = _links(data)
    deals = [
        {**_without(deal, "chain"), "chain": link}
        for deal, link in zip(data["deals"], links, strict=True)
    ]
    return {**_without(data, "chain"), "deals": deals, "chain": last}


def check_seal(data: Mapping[str, Any], match: "Match") -> None:
    """Check the hashes of a record, if it has any, against itself and a replay.

    Raises:
        RecordError: WRONG_CHAIN (something was changed after it was written), WRONG_EVENTS (the
            rules of today do something else in a deal than those it was played by).
    """
    if "chain" not in data:
        return
    links = _links(data)
    written = [*(deal.get("chain") for deal in data["deals"]), data["chain"]]
    for index, (link, said) in enumerate(zip(links, written, strict=True)):
        if link != said:
            where = f"deal {index}" if index < len(links) - 1 else "the record's end"
            raise RecordError(
                f"{where}: the chain of hashes is broken; something there or in what the deals"
                " share was changed after it was written",
                deal=index if index < len(links) - 1 else None,
                reason="WRONG_CHAIN",
            )
    for index, (deal, played) in enumerate(zip(data["deals"], match.played, strict=True)):
        if deal.get("events") != events_hash(played.deal):
            raise RecordError(
                f"deal {index}: what happens in a replay is not what happened when it was played"
                f" (by Kibitz {str(data.get('rules'))[:120]}); the rules have changed",
                deal=index,
                reason="WRONG_EVENTS",
            )


def events_hash(deal: "Deal") -> str:
    """Return the hash of all that happened in a deal: its wire codes as 4 bytes each."""
    codes = b"".join(code.to_bytes(4, "big") for code in events_of(deal))
    return hashlib.sha256(codes).hexdigest()[:EVENTS_DIGITS]


def canonical(value: object) -> bytes:
    """Return JSON in the one spelling that is hashed."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def _links(data: Mapping[str, Any]) -> list[str]:
    link = _hash("", {key: data.get(key) for key in BEFORE})
    links = []
    for deal in data["deals"]:
        link = _hash(link, _without(deal, "chain"))
        links.append(link)
    links.append(_hash(link, _without(data, "chain", "deals", *BEFORE)))
    return links


def _hash(before: str, value: object) -> str:
    return hashlib.sha256(before.encode() + canonical(value)).hexdigest()


def _without(data: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}
