"""What a bot heard and said goes to its owner, and to nobody else."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from kibitz.v1 import bot_pb2, log_pb2
from kibitz_api.matches.queries import is_open, players
from kibitz_worker.store import Store
from kibitz_worker.store.models import BotKind, Match, MatchState, SeatMessages, Version
from kibitz_worker.work.messages import store_messages
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.api.conftest import BROWSER, Site, bearer, reason

LOG = log_pb2.MessageLog(
    left_out=3,
    messages=[
        log_pb2.LoggedMessage(
            time_us=1_800_000_000_000_001,
            heard=bot_pb2.PlayResponse(turns=bot_pb2.Turns(slots=[4], decisions=[0], legal=[7])),
        ),
        log_pb2.LoggedMessage(
            time_us=1_800_000_000_500_000,
            said=bot_pb2.PlayRequest(
                actions=bot_pb2.Actions(slots=[4], decisions=[0], actions=[7], took_us=900)
            ),
            measured_us=1_200,
        ),
        log_pb2.LoggedMessage(time_us=1_800_000_001_000_000, note="connection lost"),
    ],
)


@dataclass(frozen=True)
class Kept:
    """A match of ana's bot with a log, the seat of her bot, and that of another's."""

    match: str
    own: int
    other: int

    def url(self, seat: int) -> str:
        return f"/api/v1/matches/{self.match}/messages/{seat}"


def store_of(app: FastAPI) -> Store:
    found: Store = app.state.services.store
    return found


def versions(session: Session, match: Match) -> list[Version]:
    """The versions in the seats of a match."""
    found = players(session, match.set)
    return [found[player] for player in match.seating]


@pytest.fixture(scope="module")
def kept(app: FastAPI) -> Kept:
    with store_of(app).write() as session:
        for match in session.scalars(select(Match).where(Match.state == MatchState.DONE)):
            owners = [version.bot.label.split("/")[0] for version in versions(session, match)]
            if "ana" in owners and "ben" in owners and is_open(match):
                ids = [version.id for version in versions(session, match)]
                logs = {seat: LOG.SerializeToString() for seat in range(len(ids))}
                assert match.finished is not None
                store_messages(session, match.finished, match.id, logs, ids)
                return Kept(match.id, owners.index("ana"), owners.index("ben"))
    raise AssertionError("ana and ben never met")


def test_the_owner_gets_what_was_said_line_by_line(
    client: TestClient, site: Site, kept: Kept
) -> None:
    answer = client.get(kept.url(kept.own), headers=bearer(site.ana))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    about, heard, said, note = map(json.loads, answer.text.splitlines())
    assert about == {"match": kept.match, "seat": kept.own, "left_out": 3}
    assert heard["heard"]["turns"] == {"slots": [4], "decisions": [0], "legal": [7]}
    assert heard["time"] == "2027-01-15T08:00:00.000001+00:00"
    answered = {"slots": [4], "decisions": [0], "actions": [7], "took_us": 900}
    assert said["said"]["actions"] == answered
    assert said["measured_us"] == 1_200
    assert "measured_us" not in note
    assert note["note"] == "connection lost"


def test_others_get_nothing(client: TestClient, site: Site, kept: Kept) -> None:
    assert reason(client.get(kept.url(kept.own))) == "TOKEN_NEEDED"
    refused = client.get(kept.url(kept.other), headers=bearer(site.ana))
    assert (refused.status_code, reason(refused)) == (403, "NOT_YOUR_BOT")
    assert reason(client.get(kept.url(kept.own), headers=bearer(site.ben))) == "NOT_YOUR_BOT"
    missing = client.get(kept.url(9), headers=bearer(site.ana))
    assert (missing.status_code, reason(missing)) == (404, "SEAT_NOT_FOUND")


def test_the_page_of_the_match_offers_them_to_the_owner(
    client: TestClient, site: Site, kept: Kept
) -> None:
    def page(token: str | None) -> str:
        headers = BROWSER | (bearer(token) if token else {})
        return client.get(f"/matches/{kept.match}", headers=headers).text

    assert kept.url(kept.own) in page(site.ana)
    assert kept.url(kept.other) not in page(site.ana)
    assert kept.url(kept.other) in page(site.ben)
    assert "/messages/" not in page(None)


def test_nothing_is_told_while_the_decks_are_in_play(
    client: TestClient, site: Site, store: Store, kept: Kept
) -> None:
    def other_seating(state: MatchState) -> None:
        with store.write() as session:
            match = session.get_one(Match, kept.match)
            others = (one for one in match.set.matches if one.half == match.half)
            next(one for one in others if one.id != match.id).state = state

    other_seating(MatchState.WAITING)
    try:
        refused = client.get(kept.url(kept.own), headers=bearer(site.ana))
        page = client.get(f"/matches/{kept.match}", headers=BROWSER | bearer(site.ana))
    finally:
        other_seating(MatchState.DONE)
    assert (refused.status_code, reason(refused)) == (409, "DECKS_IN_PLAY")
    assert "/messages/" not in page.text


def test_what_is_forgotten_is_not_found(
    client: TestClient, site: Site, store: Store, kept: Kept
) -> None:
    with store.write() as session:
        session.delete(session.get_one(SeatMessages, (kept.match, kept.own)))
    gone = client.get(kept.url(kept.own), headers=bearer(site.ana))
    assert (gone.status_code, reason(gone)) == (404, "MESSAGES_NOT_FOUND")


def test_who_made_the_tournament_sees_why_a_bot_of_the_house_failed(
    client: TestClient, site: Site, store: Store
) -> None:
    with store.write() as session:
        for match in session.scalars(select(Match).where(Match.state == MatchState.DONE)):
            kinds = [version.bot.kind for version in versions(session, match)]
            if BotKind.HOUSE in kinds and is_open(match):
                break
        seat, owner = kinds.index(BotKind.HOUSE), match.set.tournament.owner.name
        ids = [version.id for version in versions(session, match)]
        assert match.finished is not None
        store_messages(session, match.finished, match.id, {seat: LOG.SerializeToString()}, ids)
        url = f"/api/v1/matches/{match.id}/messages/{seat}"
    tokens = {"ana": site.ana, "ben": site.ben}
    maker = tokens.pop(owner)
    assert client.get(url, headers=bearer(maker)).status_code == 200
    (other,) = tokens.values()
    assert reason(client.get(url, headers=bearer(other))) == "NOT_YOUR_BOT"
