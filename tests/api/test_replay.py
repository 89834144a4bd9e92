"""The replay is the record, stepped through by the rules."""

from itertools import pairwise
from typing import Any

import kibitz
import pytest
from fastapi.testclient import TestClient
from kibitz import Bot, Play, Record, View
from kibitz.local import play_sets
from kibitz_api.matches.moves import move_list
from kibitz_api.matches.replay import replay_deals
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site

LEAGUES = {"german_whist": 0, "whist": 1, "whiskey": 2}
Pair = tuple[dict[str, Any], Record]


class Chatty(Bot):
    """Names its card, with a policy beside it."""

    def play(self, view: View) -> Play:
        chosen = view.legal[0]
        return Play(chosen, f"<b>{chosen}</b>", {chosen: 1.0})


@pytest.fixture(params=LEAGUES)
def pair(request: pytest.FixtureRequest, client: TestClient, site: Site, store: Store) -> Pair:
    """The replay and the record of a match of each game."""
    tournament = site.tournaments[LEAGUES[request.param]]
    with store.read() as session:
        query = select(Match.id).join(DealSet).where(DealSet.tournament_id == tournament)
        match = session.scalars(query.order_by(Match.id)).first()
    told = client.get(f"/api/v1/matches/{match}/replay").json()
    return told, Record.from_json(client.get(f"/api/v1/matches/{match}/record").text)


def test_every_step_is_the_record_played_so_far(pair: Pair) -> None:
    told, record = pair
    names = record.game.actions.names
    assert len(told["deals"]) == len(record.deals)
    for index, deal in enumerate(told["deals"]):
        actions = record.deals[index]["actions"]
        assert [[s["seat"], s["action"]] for s in deal["steps"][1:]] == actions
        for step in deal["steps"][:: max(1, len(actions) // 5)]:
            state = record.replay(index, step["step"])
            assert step["turn"] == state.turn
            assert step["legal"] == state.codes()
            assert step["hands"] == [
                [names[card] for card in state.hand(place)] for place in range(record.game.places)
            ]
            public = state.view(0)
            assert step["taken"] == public.taken
            assert step["trump"] == public.trump
            assert step["trick"] == [[place, card.code] for place, card in public.trick]


def test_its_events_are_the_whole_truth_with_addressees(pair: Pair) -> None:
    told, record = pair
    deal = told["deals"][0]
    events = [event for step in deal["steps"] for event in step["events"]]
    truth = record.replay(0).events
    assert [(e["what"], e["place"], e["detail"], e["to"]) for e in events] == [
        (event.what.name, event.place, event.detail, event.to) for event in truth
    ]
    dealt = {event["code"] for event in events if event["what"] == "DEALT" and event["code"]}
    assert dealt <= set(deal["deck"])
    played = [event["code"] for event in events if event["what"] == "PLAYED"]
    assert len(played) == len(set(played))


def test_tricks_end_where_somebody_wins(pair: Pair) -> None:
    told, _ = pair
    for deal in told["deals"]:
        for step in deal["tricks"]:
            assert any(event["what"] == "WON" for event in deal["steps"][step]["events"])
        assert len(deal["tricks"]) == sum(deal["steps"][-1]["taken"])


def test_it_names_seats_totals_and_all_seatings(pair: Pair) -> None:
    told, record = pair
    assert [seat["name"] for seat in told["seats"]] == record.seats
    assert (told["totals"], told["returns"]) == (record.totals, record.returns)
    own = [seating for seating in told["seatings"] if seating["match"] == told["match"]]
    assert [seating["seats"] for seating in own] == [record.seats]
    assert all(seating["same_decks"] for seating in own)
    sizes = {"german_whist": 2, "whist": 2, "whiskey": 6}
    assert len(told["seatings"]) == sizes[told["game"]]


def test_each_decision_has_an_address(client: TestClient, pair: Pair) -> None:
    told, _ = pair
    step = told["deals"][1]["steps"][5]
    page = client.get(f"/matches/{told['match']}/deals/1/5?seat=1", headers=BROWSER).text
    assert f"after 5 of {len(told['deals'][1]['steps']) - 1} actions" in page
    assert 'data-deal="1" data-step="5" data-seat="1"' in page
    assert f"/matches/{told['match']}/deals/1/6?seat=1" in page
    shown = client.get(f"/matches/{told['match']}/deals/1/5?open=1", headers=BROWSER).text
    hidden = f"<dd>{len(step['hands'][0])} cards</dd>"
    assert hidden in page
    assert hidden not in shown


@pytest.mark.parametrize(
    "end", ["99/0", "0/9999", "0/0?seat=9", "-1/0", "0/x", "0/0?seat=x", "0/0?open=maybe"]
)
def test_addresses_of_no_decision_say_so(client: TestClient, pair: Pair, end: str) -> None:
    answer = client.get(f"/matches/{pair[0]['match']}/deals/{end}", headers=BROWSER)
    assert answer.status_code in {404, 422}
    assert "text/html" in answer.headers["content-type"]


def test_short_addresses_lead_to_the_first_decision(client: TestClient, pair: Pair) -> None:
    match = pair[0]["match"]
    answer = client.get(f"/matches/{match}/replay", headers=BROWSER)
    assert answer.url.path == f"/matches/{match}/deals/0/0"
    answer = client.get(f"/matches/{match}/deals/1", headers=BROWSER)
    assert answer.url.path == f"/matches/{match}/deals/1/0"


def test_it_tells_what_bots_said_with_the_action_it_was_said_of() -> None:
    [played] = play_sets(kibitz.game("german_whist", end="hands:2"), [Chatty, "random"]).sets
    deals = replay_deals(played.records[0])
    said = [step for deal in deals for step in deal.steps if step.comment is not None]
    assert len(said) == 2 * 26
    for deal in deals:
        for before, step in pairwise(deal.steps):
            assert (step.comment, step.seat == 0) in {
                (f"<b>{step.action}</b>", True),
                (None, False),
            }
            assert len(step.policy or before.legal) == len(before.legal)
    hostile = played.records[0].deals
    hostile[0]["comments"][0][1] = "a\u202eb\n"
    assert "ab" in {step.comment for step in replay_deals(played.records[0])[0].steps}


def test_an_award_stands_with_its_trick_in_the_list_to_read() -> None:
    [played] = play_sets("whos_who", ["random"] * 3).sets
    deals = replay_deals(played.records[0])
    chapters = [chapter for deal in deals for chapter in move_list(deal)]
    awards = [c for c in chapters if any(move.text.startswith("award") for move in c.moves)]
    assert awards
    assert all(chapter.title.startswith("Trick") for chapter in chapters)
    assert all(len(chapter.moves) == 4 and chapter.won is not None for chapter in awards)
