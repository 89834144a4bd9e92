"""The page on the protocol names every reason the referee can send, and no others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from kibitz.remark import PolicyError
from kibitz.v1 import referee_pb2
from kibitz_referee import requests
from kibitz_referee.errors import RefusedError

from tests.sources import ROOT, below

PAGE = ROOT / "docs" / "protocol.md"
REASON = re.compile(r"[A-Z]+(?:_[A-Z]+)*")
STARTING = {"StartError", "add", "setdefault", "TypeVar"}
"""What is called so says nothing over the protocol."""

STATUSES = {
    "UNAUTHENTICATED",
    "FAILED_PRECONDITION",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "RESOURCE_EXHAUSTED",
    "UNAVAILABLE",
    "INTERNAL",
}
OF_BOTS = {"DONE"}
"""What the page says that bots send, not the referee."""

OPTIONS = {
    "UNKNOWN_GAME": ("belote", "{}"),
    "UNKNOWN_OPTION": ("whist", '{"colour": 1}'),
    "UNKNOWN_PRESET": ("whist", '{"preset": "none"}'),
    "BAD_OPTION": ("whist", '{"honours": 3}'),
    "OPTIONS_CLASH": ("german_whist", '{"hand_score": "over6", "count": "all"}'),
    "DECKS_GATHERED": ("solo_whist", '{"shuffle": "never"}'),
}
"""Requests whose game is refused, by the reason."""


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def spoken(node: ast.AST) -> Iterator[str]:
    """Yield the reasons in a piece of the referee's code."""
    if isinstance(node, ast.Call) and called(node) in STARTING:
        return
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and REASON.fullmatch(node.value)
    ):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from spoken(child)


def trees() -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in below(ROOT / "referee", "*.py")]


def refusals() -> set[tuple[str, str]]:
    """Status and reason of every refusal that the code spells out."""
    found = set()
    for node in (node for tree in trees() for node in ast.walk(tree)):
        if not isinstance(node, ast.Call):
            continue
        said = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if called(node) == "RefusedError" and said and isinstance(node.args[0], ast.Attribute):
            found.add((node.args[0].attr, str(said[0])))
        elif called(node) == "_invalid" and said:
            found.add(("INVALID_ARGUMENT", str(said[0])))
    return found


def rows() -> list[list[str]]:
    """The rows of the page's tables, cell by cell."""
    lines = PAGE.read_text().splitlines()
    return [line.strip("|").split("|") for line in lines if line.startswith("|")]


def on_the_page() -> set[str]:
    found = re.findall(r"`([A-Z]+(?:_[A-Z]+)*)`", PAGE.read_text())
    return set(found) - OF_BOTS


def test_every_reason_of_the_referee_is_on_the_page_and_no_other() -> None:
    code = {reason for tree in trees() for reason in spoken(tree)}
    assert len(code) > 30
    assert on_the_page() == code | {PolicyError.reason} | set(OPTIONS)


def test_refusals_stand_in_the_page_with_the_status_they_come_with() -> None:
    spelled = refusals()
    assert len(spelled) > 20
    for status, reason in spelled:
        assert status in STATUSES
        assert any(f"`{reason}`" in row[0] and status in row[1] for row in rows()), (reason, status)


@pytest.mark.parametrize("reason", OPTIONS)
def test_a_game_is_refused_with_the_reason_of_its_options(reason: str) -> None:
    game, options = OPTIONS[reason]
    with pytest.raises(RefusedError) as refused:
        requests.read_game(referee_pb2.RunSetRequest(game=game, options_json=options))
    assert refused.value.reason == reason
