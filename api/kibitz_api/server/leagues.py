"""The demo's leagues, seen through the server's own API: started, followed, read off."""

import contextlib
import io
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kibitz
from kibitz.cli.archive import pack
from kibitz.cli.new import new
from kibitz.cli.server import Server
from kibitz_worker.play.admission import short_game

HOUSE = ("random", "careful", "search")
TWIN = "twin"
"""`careful` under a second name, entered where sets are cheap: the two must not differ."""
WITH_TWIN = frozenset({"german_whist", "whist", "whiskey", "whos_who"})
"""With the twin there are more tables, and so fewer sets of each: everybody plays as many."""
SAMPLE, SAMPLE_GAME = "sample", "german_whist"
NAMELESS = "Demo league"
"""What every league was called before its name told the game."""


@dataclass
class League:
    """One league of the demo: what it plays and how far it is."""

    game: str
    options: Mapping[str, object]
    sets: int
    with_sample: bool = False
    with_twin: bool = False
    id: str = ""
    title: str = ""
    state: str = "waiting"
    done: int = 0
    total: int = 0
    void: int = 0
    rated: bool = False
    standings: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the tournament is called; an interrupted league is found again by it."""
        return f"{self.title} demo league"

    @property
    def over(self) -> bool:
        """Whether it has ended and its ratings are out."""
        return self.state == "cancelled" or (self.state == "finished" and self.rated)

    def read(self, told: Mapping[str, Any]) -> None:
        """Take over what the API tells of the tournament."""
        progress = told["progress"]
        self.id, self.title, self.state = told["id"], told["title"], told["state"]
        self.done, self.total, self.void = progress["done"], progress["total"], progress["void"]
        self.standings = told["standings"]
        played = [row for row in self.standings if row["sets"]]
        self.rated = bool(played) and all(row["elo"] is not None for row in played)


SETS = {"german_whist": 4, "whist": 2}
FEWEST_SETS = 1
"""Sets of a pairing, so that the leagues together take about two minutes on two cores."""


def plan() -> list[League]:
    """Give the leagues of the demo: one a game, of matches as short as the game allows."""
    games = [short_game(name, deals_each_seat=1) for name in kibitz.games()]
    return [
        League(
            game.name,
            game.options(),
            SETS.get(game.name, FEWEST_SETS),
            with_sample=game.name == SAMPLE_GAME or game.players > len(HOUSE),
            with_twin=game.name in WITH_TWIN,
            title=game.title,
        )
        for game in games
    ]


def unfinished(server: Server, leagues: list[League]) -> None:
    """Take up the leagues of an earlier demo instead of new ones: unfinished, else complete."""
    found = server.items("tournaments")
    for league in leagues:
        mine = [
            told
            for told in found
            if told["name"] in {league.name, NAMELESS} and told["game"] == league.game
        ]
        going = [told for told in mine if told["state"] in {"created", "running", "paused"}]
        complete = [told for told in mine if told["state"] == "finished"]
        if earlier := [*going, *complete]:
            league.read(server.get(f"tournaments/{earlier[0]['id']}"))


def start(server: Server, league: League, entrants: list[str]) -> None:
    """Create a league on the server, which begins to play it at once."""
    wanted = {
        "game": league.game,
        "options": dict(league.options),
        "entrants": entrants,
        "sets": league.sets,
        "name": league.name,
    }
    league.read(server.post("tournaments", wanted))


def follow(server: Server, league: League) -> None:
    """Ask how far a league is."""
    league.read(server.get(f"tournaments/{league.id}"))


def house_is_in(server: Server) -> bool:
    """Whether the bots of the house stand in the database."""
    return set(HOUSE) <= {bot["bot"] for bot in server.items("bots")}


def submit_sample(server: Server, games: list[str]) -> int:
    """Submit what `kibitz new` writes, as an author would; return the version's id."""
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / SAMPLE
        with contextlib.redirect_stdout(io.StringIO()):
            new(str(bot), SAMPLE_GAME)
        manifest = bot / "kibitz.toml"
        manifest.write_text(manifest.read_text().replace(f'["{SAMPLE_GAME}"]', json.dumps(games)))
        content, _ = pack(bot)
    return int(server.upload("submissions", f"{SAMPLE}.zip", content)["version_id"])


def admission(server: Server, version: int) -> dict[str, Any]:
    """Ask how the admission of a version stands."""
    return dict(server.get(f"versions/{version}"))
