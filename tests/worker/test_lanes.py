"""No process meets a deck twice, or two hands of one deal."""

from collections import Counter

import kibitz
import pytest
from kibitz.fair import Draw
from kibitz_worker.play.lanes import Lane, chairs, lanes_of
from kibitz_worker.play.referee import set_request
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


class Tokens:
    """The only question that a request asks of processes."""

    def token_sha256(self, lane: object) -> str:
        return str(lane)


@pytest.mark.parametrize("name", kibitz.games())
def test_matches_with_the_same_decks_have_one_name_and_come_far_apart(name: str) -> None:
    plan = plan_of(name)
    request = set_request(plan, Tokens())  # type: ignore[arg-type]
    halves = {match.id: match.half for match in plan.matches}
    named = {(match.decks_name, halves[match.match_id]) for match in request.matches}
    count = len({half for _, half in named})
    assert len(named) == count
    order = [halves[match.match_id] for match in request.matches]
    assert order == [*range(count)] * plan.game.players
