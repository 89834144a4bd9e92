"""`kibitz-server demo`: leagues in every game, played to their end."""

import re
from pathlib import Path

import kibitz

from tests.e2e.servers import RunningServer

DEMO_S = 1200.0


def test_the_demo_plays_a_league_in_every_game_and_its_ratings_are_there(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with RunningServer(data, "demo", "--exit") as demo:
        code = demo.process.wait(DEMO_S)
        said = demo.said.read_text()
    assert code == 0, said
    assert re.search(rf"^\s*{re.escape(demo.url)}\s*$", said, re.MULTILINE)
    assert "local/sample/1 was submitted and admitted." in said
    assert "Traceback" not in said
    with RunningServer(data).up() as server:
        told = server.get("/api/v1/tournaments")["items"]
        assert {one["game"] for one in told} == set(kibitz.games())
        assert {one["state"] for one in told} == {"finished"}
        assert all(one["name"] == f"{one['title']} demo league" for one in told)
        for game in kibitz.games():
            rows = server.get(f"/api/v1/leaderboards/{game}")
            assert {"random", "careful", "search"} <= {row["bot"] for row in rows}
            assert all(row["elo_low"] <= row["elo"] <= row["elo_high"] for row in rows)
            assert sum(row["elo_low"] < row["elo_high"] for row in rows) == len(rows) - 1
