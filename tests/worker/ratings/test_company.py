"""One bot twice, also with different third and fourth bots at the table."""

import numpy as np
import pytest
from kibitz_worker.ratings import SetColumns, fit
from kibitz_worker.ratings.insights import insights
from kibitz_worker.ratings.log import read_log
from kibitz_worker.ratings.tally import Tally
from kibitz_worker.ratings.twins import check_company

NAMES = ("careful", "x", "y", "z", "twin")
TABLES = np.array([(0, 1, 2), (4, 1, 2), (0, 2, 3), (4, 2, 3), (0, 4, 1)])


def league(seed: int, favour: float = 0.0, company: int | None = None) -> SetColumns:
    """Sets of all the tables; the twin is favoured, perhaps in one company only."""
    random = np.random.default_rng(seed)
    players = np.tile(TABLES, (200, 1))
    scores = random.normal(np.array([0.2, 0.0, -0.1, 0.3, 0.2])[players], 1.0)
    favoured = players == 4
    if company is not None:
        favoured &= (players == company).any(axis=1, keepdims=True)
    return SetColumns(NAMES, players, scores + favour * favoured, np.full(len(players), 2))


def alarms(columns: SetColumns) -> bool:
    told = insights([columns], fit([columns]), Tally(), [], [("careful", "twin")])
    return bool(told["twins"][0]["alarm"])


def test_companies_are_those_that_both_met() -> None:
    found = check_company(read_log([league(1)]), "careful", "twin")
    assert [each.others for each in found] == [("x", "y"), ("y", "z")]
    assert {each.sets_one for each in found} == {200}
    assert all(abs(each.difference) < 4 * each.error for each in found)
    assert check_company(read_log([league(1)]), "careful", "nobody") == []


@pytest.mark.parametrize("seed", range(8))
def test_copies_raise_no_alarm(seed: int) -> None:
    assert not alarms(league(seed))


def test_a_favour_in_one_company_alone_raises_it() -> None:
    assert alarms(league(3, 0.6))
    hidden = league(3, 0.7, company=3)
    (_, with_z) = check_company(read_log([hidden]), "careful", "twin")
    assert with_z.alarm
    assert alarms(hidden)
