"""Wherever a rating is shown, it is the same number, and the snapshot that it is from is named."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import combinations
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from fastapi.testclient import TestClient
from kibitz_worker.store import Store
from kibitz_worker.store.models import Snapshot
from sqlalchemy import select

from tests.api.conftest import BROWSER, Site

Rows = dict[tuple[int, str], dict[str, Any]]


@pytest.fixture
def published(store: Store) -> Rows:
    """The lines of all snapshots there are, by number and player."""
    with store.read() as session:
        return {
            (snapshot.id, row["player"]): row
            for snapshot in session.scalars(select(Snapshot))
            for row in snapshot.payload["rows"]
        }


def answers(client: TestClient, site: Site) -> Iterator[tuple[str, Any]]:
    """All answers of the API that could tell a rating."""
    boards = client.get("/api/v1/leaderboards").json()
    paths = ["bots", "leaderboards", "leaderboards/overall", "health", "tournaments", "games"]
    for board in boards:
        base, pool = f"leaderboards/{board['game']}", {"pool": board["pool"]}
        players = client.get(f"/api/v1/{base}", params=pool).json()
        labels = [f"{row['bot']}/{row['version']}" for row in players]
        words = [{}, *({"a": a, "b": b} for a, b in combinations(labels, 2))]
        paths += [f"{base}{end}?{urlencode(pool)}" for end in ("", "/crosstable", "/insights")]
        paths += [f"{base}/matchup?{urlencode({**pool, **each})}" for each in words[1:]]
    for bot in client.get("/api/v1/bots").json()["items"]:
        paths.append(f"bots/{bot['bot']}")
        if "/" in bot["bot"]:
            paths.append(f"bots/{bot['bot']}/history")
    paths += [f"tournaments/{key}" for key in site.tournaments]
    for path in paths:
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, path
        yield path, answer.json()


def ratings_in(told: Any, snapshot: int | None = None) -> Iterator[tuple[int | None, Any]]:
    """All lines with an elo and its interval, each with the snapshot named nearest to it."""
    if isinstance(told, list):
        for each in told:
            yield from ratings_in(each, snapshot)
    elif isinstance(told, dict):
        own = told.get("snapshot")
        number = own if isinstance(own, int) else snapshot
        if told.get("elo") is not None and "elo_low" in told:
            yield number, told
        for each in told.values():
            yield from ratings_in(each, number)


def test_every_answer_tells_the_ratings_of_the_snapshot_that_it_names(
    client: TestClient, site: Site, published: Rows
) -> None:
    seen = set()
    for path, told in answers(client, site):
        if path == "leaderboards/overall":
            for row in told["rows"]:
                assert row["snapshots"].items() <= told["snapshots"].items()
                for game, elo in row["games"].items():
                    number = row["snapshots"][game]
                    assert elo in {r["elo"] for (n, _), r in published.items() if n == number}
            continue
        for number, line in ratings_in(told):
            assert number is not None, f"{path} shows an elo and names no snapshot"
            bot = line.get("bot") or path.removeprefix("bots/").removesuffix("/history")
            row = published.get((number, f"{bot}/{line['version']}"))
            if "/history" in path and row is None:
                continue  # snapshots of rounds long past may be thinned out
            assert row is not None, path
            shown = {key: line[key] for key in ("elo", "elo_low", "elo_high")}
            assert shown == {key: row[key] for key in shown}, path
            seen.add(path.partition("?")[0].partition("/")[0])
    assert seen >= {"leaderboards", "bots", "tournaments"}


def test_margins_and_likelihoods_are_the_same_on_both_sides(client: TestClient) -> None:
    """The crosstable, the page of a pair and the page of a bot say the same."""
    for board in client.get("/api/v1/leaderboards").json():
        base, pool = f"/api/v1/leaderboards/{board['game']}", {"pool": board["pool"]}
        table = client.get(f"{base}/crosstable", params=pool).json()
        labels = [player["label"] for player in table["players"]]
        for (i, one), (j, two) in combinations(enumerate(labels), 2):
            cell = table["cells"][i][j]
            pair = client.get(f"{base}/matchup", params={**pool, "a": one, "b": two}).json()
            assert pair["snapshot"] == table["snapshot"]
            if cell is None:
                assert pair["sets"] == 0
                continue
            for key in ("sets", "deals", "share", "margin", "p_value", "los"):
                assert pair[key] == cell[key], (one, two, key)
            bot = client.get(f"/api/v1/bots/{one.rpartition('/')[0]}").json()
            heads = [
                head
                for head in bot["head_to_head"]
                if head["snapshot"] == table["snapshot"]
                and head["version"] == int(one.rpartition("/")[2])
                and f"{head['opponent']}/{head['opponent_version']}" == two
            ]
            assert [head["margin"] for head in heads] == [cell["margin"]]


class Tables(HTMLParser):
    """The tables of a page: each row as texts by the heads of their columns, and its bot."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[str, str]] = []
        self.links: list[str] = []
        self._heads: list[str] = []
        self._cells: list[str] | None = None
        self._bot = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "thead":
            self._heads = []
        if tag == "tr":
            self._cells, self._bot = [], ""
        if tag in {"td", "th"} and self._cells is not None:
            self._cells.append("")
        if tag == "a":
            href = values.get("href") or ""
            self.links.append(href)
            if href.startswith("/bots/") and not self._bot:
                self._bot = unquote(href.removeprefix("/bots/"))

    def handle_data(self, data: str) -> None:
        if self._cells:
            self._cells[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self._cells is not None:
            cells = [" ".join(cell.split()) for cell in self._cells]
            if not self._heads:
                self._heads = cells
            else:
                self.rows.append({**dict(zip(self._heads, cells, strict=False)), "bot": self._bot})
            self._cells = None


def pages(client: TestClient) -> Iterator[tuple[str, str, Tables]]:
    """All pages that can be reached from the first one, at most two of a kind with a question."""
    due, known = ["/"], {"/"}
    while due:
        path = due.pop(0)
        answer = client.get(path, headers=BROWSER)
        if answer.status_code != 200 or "text/html" not in answer.headers["content-type"]:
            continue
        tables = Tables()
        tables.feed(answer.text)
        yield path, answer.text, tables
        for link in tables.links:
            wanted = re.match(r"/(leaderboards|bots|tournaments|games|health)\b", link)
            if wanted and "#" not in link and link not in known and len(known) < 150:
                known.add(link)
                due.append(link)


def test_every_page_shows_the_ratings_of_the_snapshots_that_it_names(
    client: TestClient, published: Rows
) -> None:
    seen = set()
    rows = client.get("/api/v1/leaderboards/overall").json()["rows"]
    overall = {row["bot"]: row["elo"] for row in rows}
    for path, text, tables in pages(client):
        rated = [row for row in tables.rows if row.get("Elo", "")[:1].isdecimal()]
        if not rated:
            continue
        column = {row.get("Snapshot", "") for row in tables.rows}
        named = {*re.findall(r"(?i)snapshot\s+(\d+)", text), *filter(str.isdecimal, column)}
        assert named, f"{path} shows ratings and names no snapshot"
        for row in rated:
            bot = row["bot"] or unquote(path.partition("?")[0].removeprefix("/bots/"))
            right = {
                f"{line['elo']:.0f}"
                for (number, player), line in published.items()
                if str(number) in named and player.rpartition("/")[0] == bot
            }
            right |= {f"{overall[bot]:.0f}"} if path == "/leaderboards" else set()
            assert row["Elo"].split()[0] in right, (path, row)
        seen.add(path.split("?")[0].split("/")[1])
    assert seen >= {"", "leaderboards", "bots", "tournaments"}
