"""Results to download: tables and JSON, safe and complete."""

import csv
import io
import json
from collections.abc import Sequence

import pytest
from fastapi.testclient import TestClient
from kibitz_api.tournaments import export_rows
from kibitz_api.tournaments.spreadsheets import csv_line
from kibitz_worker.ratings.files.tables import read_table
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match, MatchState, SetState
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site, reason

TOURNAMENTS = "/api/v1/tournaments"


def table(client: TestClient, tournament: str, rows: str) -> list[dict[str, str]]:
    answer = client.get(f"{TOURNAMENTS}/{tournament}/results.csv", params={"rows": rows})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert f'filename="kibitz-{tournament}-{rows}.csv"' in answer.headers["content-disposition"]
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def test_every_seat_of_every_match_is_a_row(client: TestClient, site: Site, store: Store) -> None:
    rows = table(client, site.over, "seats")
    with store.read() as session:
        query = select(Match).where(Match.tournament_id == site.over)
        matches = {match.id: match for match in session.scalars(query)}
    assert len(rows) == 2 * len(matches)
    for row in rows:
        match, seat = matches[row["match"]], int(row["seat"])
        assert (match.totals or [])[seat] == float(row["score"])
        assert (match.returns or [])[seat] == float(row["returns"])
        assert match.set_id == row["set"]
    assert sum(int(row["forfeits"]) for row in rows) == 1


def test_the_table_of_sets_can_be_rated(client: TestClient, site: Site) -> None:
    text = client.get(f"{TOURNAMENTS}/{site.over}/results.csv?rows=sets").text
    sets = read_table("results.csv", text)
    standings = client.get(f"{TOURNAMENTS}/{site.over}/standings").json()
    points = {f"{row['bot']}/{row['version']}": row["points"] for row in standings}
    for label, total in points.items():
        assert total == sum(
            one.scores[one.players.index(label)] for one in sets if label in one.players
        )
    ranked = table(client, site.over, "standings")
    assert [row["bot"] for row in ranked] == [row["bot"] for row in standings]


def test_the_json_has_every_set_that_is_over(
    client: TestClient, site: Site, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_rows, "AT_ONCE", 2)
    told = client.get(f"{TOURNAMENTS}/{site.unfinished}/results.json").json()
    with store.read() as session:
        query = select(DealSet).where(DealSet.tournament_id == site.unfinished)
        states = {one.id: one.state for one in session.scalars(query.order_by(DealSet.number))}
    over = {key: state for key, state in states.items() if state is not SetState.WAITING}
    assert [one["id"] for one in told["sets"]] == list(over)
    assert {one["id"]: one["state"] for one in told["sets"]} == over
    assert [one["reason"] for one in told["sets"] if one["state"] == "void"] == [
        "1 attempts failed, the last one: REFEREE_LOST: the referee was killed"
    ]
    assert told["tournament"]["id"] == site.unfinished
    assert len(told["standings"]) == len(told["entrants"]) == 4
    assert {row["set"] for row in table(client, site.unfinished, "sets")} == {
        key for key, state in over.items() if state is SetState.DONE
    }
    with store.read() as session:
        done = session.scalars(select(Match.id).where(Match.state == MatchState.DONE)).all()
    assert {match["id"] for one in told["sets"] for match in one["matches"]} <= set(done)


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =cmd|'/c calc'!A0", "＝1"],  # noqa: RUF001
)
def test_no_text_becomes_a_formula(name: str) -> None:
    (cells,) = csv.reader([csv_line([name])])
    assert cells == [f"'{name}"]


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (['a"b', "c,d", "e\nf"], '"a""b","c,d","e\nf"\r\n'),
        ([-1.5, -2.0, None, 0.1], "-1.5,-2,,0.1\r\n"),
        (["ana/otter/1", "a-b"], "ana/otter/1,a-b\r\n"),
    ],
)
def test_cells_are_quoted_and_numbers_stay_numbers(cells: Sequence[object], line: str) -> None:
    assert csv_line(cells) == line
    assert next(csv.reader(io.StringIO(line, newline=""))) is not None


def test_downloads_are_linked_and_what_is_unknown_is_refused(
    client: TestClient, site: Site
) -> None:
    page = client.get(f"/tournaments/{site.over}", headers=BROWSER).text
    for name in ("results.csv?rows=seats", "results.csv?rows=sets", "results.json", "archive"):
        assert f"/api/v1/tournaments/{site.over}/{name}" in page
    assert reason(client.get(f"{TOURNAMENTS}/nothere/results.json")) == "TOURNAMENT_NOT_FOUND"
    assert client.get(f"{TOURNAMENTS}/{site.over}/results.csv?rows=x").status_code == 422
    assert json.loads(client.get(f"{TOURNAMENTS}/{site.over}/results.json").content)
