"""The clock and the policy of a tournament: which values they may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz_worker.errors import InvalidError

DEFAULT_CLOCK: dict[str, Any] = {
    "bank_ms": 120_000,
    "increment_ms": 5_000,
    "cap_ms": 20_000,
    "ready_ms": 30_000,
    "tolerance_ms": 100,
    "untimed": False,
}
"""Generous, because many tables share one machine; see `kibitz.v1.Clock` for the meaning."""

LONGEST_MS = 24 * 3600 * 1000

POLICIES = ("forfeit_deal", "forfeit_match", "substitute")
"""What happens to a seat that acts illegally or too late; see `kibitz.v1.OnFailure`.

`substitute:N` is `substitute` with a limit of N penalties in a match, beyond which it is forfeited.
"""

MOST_PENALTIES = 1000


def check_clock(clock: Mapping[str, object] | None) -> dict[str, Any]:
    """Return the clock with defaults filled in. Raises InvalidError (CLOCK_INVALID)."""
    given = dict(clock or {})
    for key, value in given.items():
        if key not in DEFAULT_CLOCK:
            raise InvalidError(
                f"a clock has no {key[:40]!r}; it has {', '.join(DEFAULT_CLOCK)}",
                reason="CLOCK_INVALID",
            )
        wanted = type(DEFAULT_CLOCK[key])
        if type(value) is not wanted:
            raise InvalidError(
                f"clock {key} is {str(value)[:40]!r}, it must be {_SAID[wanted]}",
                reason="CLOCK_INVALID",
            )
        least = 1 if key in {"cap_ms", "ready_ms"} else 0
        if isinstance(value, int) and not least <= value <= LONGEST_MS and wanted is int:
            raise InvalidError(
                f"clock {key} is {value}, it must be {least} to {LONGEST_MS}",
                reason="CLOCK_INVALID",
            )
    filled = DEFAULT_CLOCK | given
    if not filled["untimed"] and not filled["bank_ms"] + filled["increment_ms"]:
        raise InvalidError("a clock needs a bank or an increment", reason="CLOCK_INVALID")
    return filled


_SAID = {int: "a whole number of milliseconds", bool: "true or false"}


def check_policy(policy: str) -> str:
    """Return the policy. Raises InvalidError (POLICY_UNKNOWN)."""
    kind, limit = policy_of(policy)
    written = f"{kind}:{limit}" if limit else kind
    if kind not in POLICIES or limit > MOST_PENALTIES or written != policy:
        raise InvalidError(
            f"there is no policy {policy[:40]!r}; policies: {', '.join(POLICIES)},"
            f" substitute:N with at most N penalties in a match, N from 1 to {MOST_PENALTIES}",
            reason="POLICY_UNKNOWN",
        )
    return policy


def policy_of(policy: str) -> tuple[str, int]:
    """Return the kind of a policy, and its limit of penalties (0: the referee's own)."""
    kind, colon, limit = policy.partition(":")
    if colon and kind == "substitute" and limit.isascii() and limit.isdigit():
        return kind, int(limit[:9])
    return policy, 0
