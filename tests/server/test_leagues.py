"""The demo's leagues: what they are called, and that an interrupted one is found again."""

from pathlib import Path

import kibitz
from kibitz.cli.server import Server
from kibitz_api.server import leagues
from kibitz_worker.store import open_store
from kibitz_worker.store.models import Tournament, TournamentState

from tests.e2e.servers import RunningServer, until


def test_a_league_is_called_after_its_game() -> None:
    names = [league.name for league in leagues.plan()]
    assert names == [f"{kibitz.game(name).title} demo league" for name in kibitz.games()]
    assert len(set(names)) == len(names)


def test_an_interrupted_league_is_found_again(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data").up() as running:
        token = (running.data / "token").read_text().strip()
        with Server(running.url, token=token) as server:
            until(lambda: leagues.house_is_in(server), 30, "the bots of the house")
            begun, renamed = _begin(server, "whist"), _begin(server, "german_whist")
            with open_store(running.data) as store, store.write() as session:
                session.get_one(Tournament, renamed.id).name = leagues.NAMELESS
            found = [
                league for league in leagues.plan() if league.game in {"whist", "german_whist"}
            ]
            leagues.unfinished(server, found)
    assert {league.id for league in found} == {begun.id, renamed.id}


def _begin(server: Server, game: str) -> leagues.League:
    [league] = [league for league in leagues.plan() if league.game == game]
    league.sets = 1000
    leagues.start(server, league, list(leagues.HOUSE))
    return league


def test_complete_leagues_are_taken_up_and_not_played_again(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data").up() as running:
        token = (running.data / "token").read_text().strip()
        with Server(running.url, token=token) as server:
            until(lambda: leagues.house_is_in(server), 30, "the bots of the house")
            done = _begin(server, "whist")
            with open_store(running.data) as store, store.write() as session:
                session.get_one(Tournament, done.id).state = TournamentState.FINISHED
            found = [league for league in leagues.plan() if league.game == "whist"]
            leagues.unfinished(server, found)
    assert [(league.id, league.state) for league in found] == [(done.id, "finished")]
