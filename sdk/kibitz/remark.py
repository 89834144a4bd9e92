"""What a bot may say of a decision: a comment, and the probabilities it chose by.

Return a :class:`Play` instead of an action::

    return Play(card, "hoping for the queen", {"KH": 0.7, "2H": 0.3})
"""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kibitz.errors import ActionError, KibitzError

if TYPE_CHECKING:
    from kibitz.actions import Action, Actions

COMMENT_BYTES = 500
"""How much of a comment is kept, in bytes of UTF-8."""

COMMENTS_BYTES = 32_000
"""How much one seat may say in a match altogether."""

TOLERANCE = 0.001
"""By so much the sum of a policy may differ from 1; floats of 32 bits are good enough."""

DIGITS = 5
"""Digits of the probabilities that records hold."""

Policy: TypeAlias = (
    "Mapping[Action, float] | Mapping[int, float] | Mapping[str, float] | Sequence[float]"
)


class PolicyError(KibitzError):
    """A policy that is no distribution over the legal actions; ``reason`` is ``BAD_POLICY``."""

    reason = "BAD_POLICY"


@dataclass(frozen=True)
class Play:
    """A decision with a word on it; ``Bot.play`` may return one instead of an action.

    Attributes:
        action: an element of ``view.legal``, or its number, or its code.
        comment: a line for those who look at the replay later. What is longer than 500 bytes is
            cut off; line breaks become spaces.
        policy: with which probability the bot chose each legal action: by action (those left out
            have 0), or a sequence in the order of ``view.legal``. It sums to 1, and the action
            chosen has more than 0.
    """

    action: "Action | int | str"
    comment: str = ""
    policy: Policy = field(default=())


class Remark(NamedTuple):
    """What was said of a decision, cleaned and checked: records hold it.

    ``policy`` has a probability for each legal action, by rising number; empty if none was told.
    """

    comment: str = ""
    policy: tuple[float, ...] = ()


NOTHING = Remark()


class Choice(NamedTuple):
    """The number of an action, and what the bot said of it."""

    number: int
    remark: Remark


def clean(comment: str) -> str:
    """Return a comment as it may be shown: one line of at most 500 bytes.

    Control characters, invisible ones and those that turn the direction of text are taken out, runs
    of white space become one space, and no character carries more than two marks.
    """
    short = comment[: 4 * COMMENT_BYTES]
    if not (short.isascii() and short.isprintable()):
        short = _without_tricks(unicodedata.normalize("NFC", short))
    cut = " ".join(short.split()).encode("utf-8", "ignore")[:COMMENT_BYTES]
    return cut.decode("utf-8", "ignore").rstrip()


def _without_tricks(text: str) -> str:
    kept, marks = [], 0
    for character in text:
        kind = unicodedata.category(character)
        if kind[0] == "Z" or character in "\t\n\r\v\f\x85":
            kept.append(" ")
        elif kind[0] != "C":  # controls, formats, halves of characters, what is not assigned
            marks = marks + 1 if kind[0] == "M" else 0
            if marks <= 2:
                kept.append(character)
    return "".join(kept)


def checked_policy(policy: Sequence[float], legal: int, chosen: int) -> tuple[float, ...]:
    """Return a policy as records hold it: rounded to five digits.

    Args:
        policy: a probability for each legal action, by rising number.
        legal: how many actions are legal.
        chosen: the place of the action chosen among them.

    Raises:
        PolicyError: it has another length, a value is not finite or below 0, the sum is not 1, or
            the action chosen has no probability.
    """
    if len(policy) != legal:
        raise PolicyError(f"the policy has {len(policy)} values for {legal} legal actions")
    if not all(math.isfinite(value) and value >= 0.0 for value in policy):
        raise PolicyError("every value of a policy is a finite number and not below 0")
    total = math.fsum(policy)
    if abs(total - 1.0) > TOLERANCE:
        raise PolicyError(f"the values of a policy sum to 1, not {total:.6g}")
    if not policy[chosen]:
        raise PolicyError("the action chosen has the probability 0")
    return tuple(float(f"{value:.{DIGITS}g}") for value in policy)


def remark(play: Play, legal: "Sequence[Action]", chosen: int, actions: "Actions") -> Remark:
    """Return what a bot says of its choice of ``legal[chosen]``.

    Raises:
        PolicyError: its policy is no distribution over ``legal``, or its comment is no text.
    """
    if not isinstance(play.comment, str):
        raise PolicyError(f"a comment is a text, not {type(play.comment).__name__}")
    comment = clean(play.comment)
    if len(play.policy) == 0:
        return Remark(comment)
    values = _values(play.policy, legal, actions)
    return Remark(comment, checked_policy(values, len(legal), chosen))


def written(remarks: Mapping[int, Remark]) -> dict[str, Any]:
    """Return the remarks on a deal as its record holds them.

    ``comments`` and ``policies`` are lists of [number of the action in the deal, what was said];
    a key without entries is left out. ``remarks`` are by that number.
    """
    comments = [[number, said.comment] for number, said in remarks.items() if said.comment]
    policies = [[number, list(said.policy)] for number, said in remarks.items() if said.policy]
    found = {"comments": comments, "policies": policies}
    return {key: entries for key, entries in found.items() if entries}


def _values(policy: Policy, legal: "Sequence[Action]", actions: "Actions") -> list[float]:
    if not isinstance(policy, Mapping):
        return [float(value) for value in policy]
    values = dict.fromkeys(map(int, legal), 0.0)
    for action, value in policy.items():
        try:
            number = int(actions.find(action))
        except ActionError as error:
            raise PolicyError(f"policy: {error}") from error
        if number not in values:
            raise PolicyError(f"policy: {actions.names[number]} is not legal")
        values[number] = float(value)
    return list(values.values())
