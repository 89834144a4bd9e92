"""What deals told is kept over restarts, and read again where sets came or went."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from kibitz_worker.publishing import kept_sums
from kibitz_worker.publishing.results import numbers_of
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.models import DealSet, Match, Meta, SetState, Snapshot
from sqlalchemy import Engine, event, select, update

from tests.api.conftest import nobody
from tests.e2e.league import play_set
from tests.worker.publishing.test_refit import WHISKEY, begin, newest, sets_of


@pytest.fixture
def store(tmp_path: Path, furnish: Callable[[Path], Path]) -> Iterator[Store]:
    with open_store(furnish(tmp_path)) as opened:
        yield opened


def reads_of_ledgers(store: Store, refit: Refit) -> int:
    """How many statements of a refit read ledgers of matches."""
    count = 0

    def look(*words: object) -> None:
        nonlocal count
        count += "matches.ledger" in str(words[2])

    with store.write() as session:
        session.execute(update(Snapshot).values(sets=-1))
    event.listen(Engine, "before_cursor_execute", look)
    try:
        refit.refresh()
    finally:
        event.remove(Engine, "before_cursor_execute", look)
    return count


def test_a_restart_reads_only_ledgers_of_chunks_that_changed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_sums, "CHUNK", 2)
    (whiskey,) = begin(store, WHISKEY)
    keys = sets_of(store, whiskey)
    for key in keys:
        play_set(store, key, forfeit=False, void=False)
    assert reads_of_ledgers(store, Refit(store, nobody())) == len(keys) / 2
    first = newest(store, "whiskey")
    assert reads_of_ledgers(store, Refit(store, nobody())) == 0
    kept = newest(store, "whiskey")
    assert kept.id > first.id
    assert kept.payload == first.payload
    with store.write() as session:
        session.execute(update(DealSet).where(DealSet.id == keys[3]).values(state=SetState.VOID))
    assert reads_of_ledgers(store, Refit(store, nobody())) == 1
    after = newest(store, "whiskey").payload
    with store.write() as session:
        session.query(Meta).delete()
    assert reads_of_ledgers(store, Refit(store, nobody())) == len(keys) / 2
    assert newest(store, "whiskey").payload == after
    assert after != kept.payload


def test_sums_are_kept_while_sets_come_so_that_a_restart_has_few_to_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_sums, "CHUNK", 2)
    (whiskey,) = begin(store, WHISKEY)
    keys, steady = sets_of(store, whiskey), Refit(store, nobody())
    assert len(keys) > 2
    for key in keys:
        play_set(store, key, forfeit=False, void=False)
        steady.refresh(final=whiskey)
    told = newest(store, "whiskey").payload
    assert reads_of_ledgers(store, Refit(store, nobody())) == len(keys) % 2
    again = newest(store, "whiskey").payload
    assert again["rows"] == told["rows"]
    parts = zip(again["insights"]["parts"], told["insights"]["parts"], strict=True)
    assert all(one == pytest.approx(other) for one, other in parts)


def test_sums_with_missing_ledgers_are_not_kept(store: Store) -> None:
    (whiskey,) = begin(store, WHISKEY)
    keys = sets_of(store, whiskey)
    for key in keys[:2]:
        play_set(store, key, forfeit=False, void=False)
    with store.write() as session:
        session.execute(update(Match).where(Match.set_id == keys[0]).values(ledger=None))
    Refit(store, nobody()).refresh()
    with store.read() as session:
        assert not session.scalars(select(Meta).where(Meta.key.like("ledgers %"))).all()


def test_lists_of_numbers_are_read_as_written() -> None:
    lists = ["[1.5, -2.0]", "[1e-05,0]", "[-0.3333333333333333, 123456789.25]"]
    wanted = [[1.5, -2.0], [1e-05, 0.0], [-1 / 3, 123456789.25]]
    np.testing.assert_array_equal(numbers_of(lists, 2), wanted)
    with pytest.raises(ValueError, match="reshape"):
        numbers_of(["[1.0, 2.0]", "[1.0]"], 2)
