"""Every wait has a reason that can be read."""

from __future__ import annotations

from datetime import timedelta

from kibitz_worker.store import Store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import host_version
from kibitz_worker.store.models import Entrant, Tournament, VersionState, WorkerProcess
from kibitz_worker.store.running import Running
from kibitz_worker.store.tournaments import create_tournament, pause_tournament
from kibitz_worker.work.filling import fill_sets
from kibitz_worker.work.outbox import SETS
from kibitz_worker.work.waiting import Wait, waits
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.worker.leagues import SHORT, house_bots, league
from tests.worker.work.played import NOW, sets_of


def up(session: Session) -> None:
    session.add(
        WorkerProcess(id="w", name="host:1", jobs=1, sandbox="strict", started=NOW, seen=NOW)
    )
    session.flush()


def told(session: Session, tournament: Tournament, bot_jobs: int = 0) -> dict[str, Wait]:
    return {wait.reason: wait for wait in waits(session, NOW, tournament, bot_jobs)}


def test_a_set_waits_for_a_worker_then_for_its_turn(store: Store) -> None:
    with store.write() as session:
        tournament, other = league(session, sets=3), league(session, sets=3)
        assert told(session, tournament)["NO_WORKER"].sets == 3
        up(session)
        other.priority = 5
        assert fill_sets(session, NOW, {SETS: 1}, 1, 10) == 1
        wait = told(session, tournament)["WAITS_ITS_TURN"]
        assert (wait.sets, wait.until) == (3, None)
        assert wait.text == ("waits its turn: 1 job is under way or queued, 1 of other tournaments")
        assert told(session, other)["QUEUED"].text.startswith("in the queue")


def test_bots_that_play_in_as_many_jobs_as_they_may(store: Store) -> None:
    with store.write() as session:
        first, second = league(session, sets=1), league(session, sets=1)
        up(session)
        fill_sets(session, NOW, {SETS: 1}, 1, 10, bot_jobs=1)
        [held] = [t for t in (first, second) if "BOT_LIMIT" in told(session, t, 1)]
        text = told(session, held, 1)["BOT_LIMIT"].text
        assert "KIBITZ_BOT_JOBS" in text
        assert "careful/1" in text


def test_a_failed_set_says_until_when(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, sets=1)
        up(session)
        [one] = sets_of(session, tournament)
        one.due, one.reason = NOW + timedelta(seconds=40), "BOT_DIES: no model file"
        wait = told(session, tournament)["BACK_OFF"]
        assert wait.until == one.due
        assert wait.text == "tries again soon after: BOT_DIES: no model file"


def test_absent_bots_are_named_with_their_deadline(store: Store) -> None:
    with store.write() as session:
        ana = create_user(session, "ana")
        heart = host_version(session, ana, "heart", ["german_whist"])
        tournament = create_tournament(
            session,
            ana,
            "german_whist",
            [heart, *house_bots(session, ["careful"])],
            options={"end": SHORT["german_whist"]},
            running=Running(absence="void", wait_seconds=600),
        )
        up(session)
        wait = told(session, tournament)["BOTS_ABSENT"]
        assert wait.text == "waits for ana/heart/1 to connect"
        assert tournament.started is not None
        assert wait.until == tournament.started + timedelta(seconds=600)


def test_pauses_and_versions_put_away_are_told(store: Store) -> None:
    with store.write() as session:
        tournament = league(session, sets=1)
        up(session)
        entrant = session.scalars(select(Entrant)).first()
        assert entrant is not None
        entrant.version.state = VersionState.QUARANTINED
        entrant.version.reason = "3 sets in a row failed"
        text = told(session, tournament)["QUARANTINED"].text
        assert text.endswith("is quarantined: 3 sets in a row failed; its sets are void")
        pause_tournament(session, tournament.id, "for the night")
        assert told(session, tournament)["PAUSED"].text == "it is paused: for the night"
