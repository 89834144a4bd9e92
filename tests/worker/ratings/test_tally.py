"""Parts played: sums over sets give the same means and errors as the sets one by one."""

from dataclasses import asdict

import numpy as np
import pytest
from kibitz_worker.ratings.student import quantile
from kibitz_worker.ratings.tally import EVERYBODY, Part, Tally

ALONE = ("declarer", "defender", "defender")


def entry(dealer: int, scores: tuple[float, ...], **more: object) -> dict[str, object]:
    return {"dealer": dealer, "scores": list(scores), **more}


def a_set(seed: int) -> list[tuple[tuple[int, ...], list[dict[str, object]]]]:
    random = np.random.default_rng(seed)
    lanes = []
    for lane in range(3):
        seating = tuple((seat + lane) % 3 for seat in range(3))
        deals = []
        for deal in range(int(random.integers(1, 4))):
            scores = tuple(float(x) for x in random.integers(-5, 6, 3))
            roles = list(np.roll(ALONE, int(random.integers(3))))
            deals.append(entry(deal % 3, scores, roles=roles))
        lanes.append((seating, deals))
    return lanes


def test_means_and_errors_are_those_of_clusters() -> None:
    sets = [a_set(seed) for seed in range(40)]
    tally = Tally()
    for lanes in sets:
        tally.add_sets([(("a", "b", "c"), lanes)])
    (row,) = [r for r in tally.rows() if (r.player, r.name) == ("b", "declarer")]
    sums, deals = [], []
    for lanes in sets:
        found = []
        for seating, entries in lanes:
            seat = seating.index(1)
            for each in entries:
                scores, roles = np.array(each["scores"]), each["roles"]
                assert isinstance(roles, list)
                if roles[seat] == "declarer":
                    found.append(scores[seat] - scores.mean())
        if found:
            sums.append(sum(found))
            deals.append(len(found))
    m, d = np.array(sums), np.array(deals)
    mean = m.sum() / d.sum()
    error = np.sqrt(len(m) / (len(m) - 1) * ((m - mean * d) ** 2).sum()) / d.sum()
    assert (row.sets, row.deals) == (len(m), d.sum())
    assert row.margin == pytest.approx(mean)
    assert row.margin_high is not None
    assert row.margin_high - row.margin == pytest.approx(quantile(len(m) - 1) * error)


def test_order_and_grouping_of_sets_do_not_matter() -> None:
    whole, first, second = Tally(), Tally(), Tally()
    for seed in range(10):
        whole.add_sets([(("a", "b", "c"), a_set(seed))])
        (first if seed % 3 else second).add_sets([(("a", "b", "c"), a_set(seed))])
    second.add(first)
    together = Tally()
    together.add_sets((("a", "b", "c"), a_set(seed)) for seed in range(10))
    assert together.sums.keys() == whole.sums.keys()
    for part, sums in together.sums.items():
        assert asdict(sums) == pytest.approx(asdict(whole.sums[part]))
    for one, two in zip(whole.rows(), second.rows(), strict=True):
        assert (one.player, one.name, one.deals) == (two.player, two.name, two.deals)
        assert one.margin == pytest.approx(two.margin)
        assert one.won_low == pytest.approx(two.won_low)


def test_forfeited_deals_do_not_count() -> None:
    tally = Tally()
    tally.add_sets([(("a", "b"), [((0, 1), [entry(0, (-13, 13), forfeit=0), entry(1, (1, -1))])])])
    rows = {row.name: row for row in tally.rows() if row.player == EVERYBODY}
    assert {name: row.margin for name, row in rows.items()} == {"0": -1.0, "1": 1.0}
    assert rows["1"].won == 1.0
    assert rows["0"].margin_low is None


def test_partners_share_a_position() -> None:
    tally = Tally()
    tally.add_sets(
        [(("a", "b"), [((0, 1, 0, 1), [entry(2, (3, 0, 3, 0)), entry(3, (0, 1, 0, 1))])])]
    )
    dealer = tally.sums[Part(EVERYBODY, "position", "0")]
    assert (dealer.deals, dealer.won, dealer.margin) == (2, 2, 2.0)
