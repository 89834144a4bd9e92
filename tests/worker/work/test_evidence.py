"""A machine that spoils results is named, and what it played can be annulled together."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kibitz_api.server.annulling import Wish, annul
from kibitz_worker.store import Store
from kibitz_worker.store.models import Attempt, DealSet, Event, Match, Outcome, SetState
from kibitz_worker.work.evidence import alarms, judged, machines, note_machines, noted_machines
from sqlalchemy import func, select

from tests.worker.leagues import league
from tests.worker.test_archiving import play_all
from tests.worker.work.played import LATER, NOW


def test_one_machine_of_four_yields_nearly_all_losses_on_time() -> None:
    seen = {"a": 250, "b": 250, "c": 250, "d": 250}
    [first, *others] = judged(seen, {"a": 6, "b": 5, "c": 7, "d": 232}, {})
    assert (first.name, first.suspect) == ("d", True)
    assert not any(one.suspect for one in others)
    [alarm] = alarms([first, *others])
    assert alarm.startswith("d spoils results: of its 250 sets 232 were lost on time")
    assert "kibitz-server annul --worker d" in alarm


@pytest.mark.parametrize(
    "spoilt",
    [{"a": 9, "b": 14, "c": 11}, {"a": 4}, {"a": 80, "b": 85, "c": 90}],
    ids=["like others", "too few", "all bad alike"],
)
def test_luck_is_no_evidence(spoilt: dict[str, int]) -> None:
    seen = dict.fromkeys("abc", 100)
    assert not any(one.suspect for one in judged(seen, {}, spoilt))
    assert not any(one.suspect for one in judged({"a": 50}, {"a": 50}, {}))


def test_the_chance_is_fishers() -> None:
    # The lady tasting tea: all four of four and four.
    [one, _] = judged({"a": 4, "b": 4}, {"a": 4}, {})
    assert one.p == pytest.approx(1 / 70)
    [a, b] = sorted(judged({"a": 4, "b": 4}, {"a": 3, "b": 1}, {}), key=lambda each: each.name)
    assert a.p == pytest.approx(17 / 70)
    assert b.p == pytest.approx(69 / 70)


def test_attempts_and_losses_are_counted_by_machine(store: Store) -> None:
    with store.write() as session:
        play_all(session, league(session, sets=4))
        attempts = session.scalars(select(Attempt).order_by(Attempt.id)).all()
        for number, attempt in enumerate(attempts):
            attempt.worker = f"host-{number % 2}:{number}"
        late = session.scalars(select(Match).where(Match.set_id == attempts[0].set_id)).first()
        assert late is not None
        late.forfeits = [{"deal": 0, "seat": 1, "reason": "TIMEOUT"}]
        penalized = session.scalars(select(Match).where(Match.set_id == attempts[2].set_id)).first()
        assert penalized is not None
        penalized.penalties = [{"deal": 0, "seat": 1, "reason": "TIMEOUT"}]
        attempts[1].outcome = Outcome.LOST
        session.flush()
        found = {one.name: one for one in machines(session, LATER)}
        assert (found["host-0"].sets, found["host-0"].late, found["host-0"].failed) == (2, 2, 0)
        assert (found["host-1"].sets, found["host-1"].late, found["host-1"].failed) == (2, 0, 1)
        assert machines(session, LATER + timedelta(days=2)) == []
        assert note_machines(session, LATER) == noted_machines(session)


def test_what_a_machine_played_is_annulled_together(store: Store) -> None:
    with store.write() as session:
        play_all(session, league(session, sets=4))
        for number, attempt in enumerate(session.scalars(select(Attempt)).all()):
            attempt.worker = "good:1" if number % 2 else "bad_host:7"
    wish = Wish("bad_host", NOW, None, "its clock runs backwards")
    looked = annul(store, wish, do=False)
    assert (len(looked.sets), looked.done) == (2, False)
    done = annul(store, wish, do=True)
    assert (done.sets, done.kept) == (looked.sets, {})
    with store.read() as session:
        states = select(DealSet.id).where(DealSet.state == SetState.ANNULLED)
        assert sorted(session.scalars(states)) == done.sets
        events = session.scalars(select(Event).where(Event.kind == "SET_ANNULLED")).all()
        assert {event.subject: event.reason for event in events} == dict.fromkeys(
            done.sets, "its clock runs backwards"
        )
    assert annul(store, wish, do=True).sets == []
    assert annul(store, Wish("bad", NOW, None, "x"), do=True).sets == []
    with store.read() as session:
        left = select(func.count(DealSet.id)).where(DealSet.state == SetState.DONE)
        assert session.scalar(left) == 2
