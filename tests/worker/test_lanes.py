"""No process meets a deck twice, or two hands of one deal."""

from collections import Counter
from pathlib import Path

import kibitz
import pytest
from kibitz.fair import Draw
from kibitz_worker.play.context import UNPROBED
from kibitz_worker.play.lanes import Lane, chairs, lanes_of
from kibitz_worker.play.processes import Given, Processes
from kibitz_worker.play.referee import set_request
from kibitz_worker.play.versions import Runnable
from kibitz_worker.sandbox import Limits
from kibitz_worker.store.models import BotKind
from kibitz_worker.work.plan import PlannedMatch, SetPlan


def plan_of(name: str) -> SetPlan:
    game = kibitz.game(name)
    draw = Draw(game, bytes(32), "t", 0)
    return SetPlan(
        id="t-0-0",
        tournament="t",
        game=game,
        clock={},
        policy="forfeit_deal",
        players=tuple(range(10, 10 + game.players)),
        names=tuple(f"bot/{n}" for n in range(game.players)),
        matches=tuple(
            PlannedMatch(f"m{n}", *seating[:2], seating.order, tuple(draw.half(seating.half)))
            for n, seating in enumerate(kibitz.seatings(game))
        ),
    )


@pytest.mark.parametrize("name", kibitz.games())
def test_a_process_meets_a_deck_once_and_one_hand_of_it(name: str) -> None:
    plan = plan_of(name)
    met: Counter[tuple[Lane, tuple[str, ...]]] = Counter()
    for match in plan.matches:
        there = chairs(plan.players, match)
        assert len(set(there)) == plan.game.seats
        assert [lane.version for lane in there] == [plan.players[p] for p in match.seating]
        for lane in there:
            for luck in match.decks:
                met[lane, tuple(luck["deck"])] += 1
    assert set(met.values()) == {1}
    assert {lane for lane, _ in met} == set(lanes_of([plan]))


@pytest.mark.parametrize("name", kibitz.games())
def test_matches_with_the_same_decks_have_one_name_and_come_far_apart(
    name: str, tmp_path: Path
) -> None:
    plan = plan_of(name)
    versions = {
        player: Runnable(player, label, BotKind.HOUSE, spec="random")
        for player, label in zip(plan.players, plan.names, strict=True)
    }
    given = Given(tmp_path / "bots.sock", tmp_path, UNPROBED, trust=True, limits=Limits())
    request = set_request(plan, Processes(lanes_of([plan]), versions, given))
    halves = {match.id: match.half for match in plan.matches}
    named = {(match.decks_name, halves[match.match_id]) for match in request.matches}
    count = len({half for _, half in named})
    assert len(named) == count
    order = [halves[match.match_id] for match in request.matches]
    assert order == [*range(count)] * plan.game.players
