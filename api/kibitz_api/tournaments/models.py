"""Tournaments as the API tells and takes them."""

from datetime import datetime
from typing import Annotated, Literal

from kibitz_worker.schedule.formats import FORMATS
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from kibitz_api.leaderboards.crosstables import Crosstable
from kibitz_api.plots import Plot, curve_plot
from kibitz_api.tournaments.placings import PlacingAnswer

Label = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=130, pattern=r"^[^\x00-\x1f]+$"
    ),
]


class TournamentSummary(BaseModel):
    id: str
    name: str
    game: str
    title: str = Field(description="The game's name for people.")
    state: str = Field(description="created, running, paused, finished or cancelled.")
    reason: str | None = Field(description="Why it stands where it stands.")
    rated: bool
    kind: str = Field(
        description="tournament, exhibition (counts nowhere) or rematch (of a match)."
    )
    owner: str
    entrant_count: int
    sets_done: int
    sets_total: int
    sets_void: int
    sets_playing: int
    created: datetime
    started: datetime | None
    finished: datetime | None
    url: str = Field(description="Path of its page.")


class EntrantAnswer(BaseModel):
    number: int
    bot: str = Field(description="Label of the bot; page /bots/{bot}.")
    version: int
    version_id: int
    state: str = Field(description="State of the version: admitted, quarantined, ...")
    content_hash: str
    nonce: Annotated[
        str | None, Field(description="What its owner added to the luck of its sets beforehand.")
    ] = None
    left: Annotated[datetime | None, Field(description="When it left, where one can leave.")] = None


class NonceRequest(BaseModel):
    """Something for the luck of one's bots' sets, which nobody else can have foreseen."""

    model_config = ConfigDict(extra="forbid")

    nonce: str = Field(max_length=64, description="Letters, digits, `_`, `.` and `-`.")
    entrant: Annotated[
        Label | None, Field(description="One of one's bots; all of them by default.")
    ] = None


class Standing(BaseModel):
    """One entrant so far, in the order of its format; `elo` and its interval are the snapshot's."""

    rank: int
    entrant: int
    bot: str
    version: int
    version_id: int
    sets: int = Field(description="Finished sets.")
    deals: int
    share: float | None = Field(description="Share of the opponents beaten over all sets, 0 to 1.")
    points: float = Field(description="Returns added over all finished sets.")
    margin: float | None = Field(description="Mean over deals of score minus the table's mean.")
    margin_low: float | None
    margin_high: float | None
    forfeits: int = Field(description="Deals forfeited.")
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    provisional: bool
    placing: Annotated[
        PlacingAnswer | None, Field(description="What the format counts, where it counts more.")
    ] = None


class SecondLookAnswer(BaseModel):
    """Whether a self-hosted bot plays decks better when it meets them again."""

    bot: str
    version: int
    rows: int = Field(description="Rows of decks (a set's half) that it has met more than once.")
    gain: float = Field(description="Points a deal by which later meetings were better.")
    error: float = Field(description="Standard error of the gain if it remembers nothing.")
    p: float = Field(description="How likely so much or more is if it remembers nothing.")
    flagged: bool = Field(description="So unlikely that somebody should look into it.")


class Progress(BaseModel):
    done: int
    total: int
    void: int
    playing: int
    waiting: int
    deals: int = Field(description="Deals played in the finished sets.")
    share: float = Field(description="Part of the sets that is over, 0 to 1.")


class TableAnswer(BaseModel):
    """A table of a round; a bye has one player."""

    players: list[str]
    seeds: list[int] = Field(description="Their numbers among the entrants, from 1.")
    winners: list[str] = Field(description="Who goes on (knockout); else who has most.")
    by: str = Field(description="What decided: returns, margins, seed, bye, or nothing yet.")
    points: list[float] | None = Field(description="Returns over the finished sets, by player.")
    done: int
    sets: int
    tie_breaks: int = Field(description="Sets played because it was tied (knockout).")


class RoundAnswer(BaseModel):
    number: int = Field(description="From 1.")
    tables: list[TableAnswer]


class TestAnswer(BaseModel):
    """How a sequential test stands."""

    __test__ = False

    state: str = Field(description="running, accepted, rejected or undecided.")
    sets: int
    llr: float
    lower: float
    upper: float
    expected_left: float | None
    chance: float | None = Field(description="Of being accepted, if it goes on as it has.")
    curve_from: int = Field(description="The set to which the first value of the curve belongs.")
    curve: list[float] = Field(description="The log-likelihood ratio after each set.")
    pairs: Annotated[
        list[int] | None,
        Field(
            description="Of two players: sets in which both matches were lost, one lost and one "
            "drawn, both drawn or one each, one won and one drawn, both won by the candidate."
        ),
    ] = None
    normalized: Annotated[
        float | None, Field(description="Normalized Elo of the candidate over the base.")
    ] = None
    normalized_error: Annotated[float | None, Field(description="Half of its 95 % interval.")] = (
        None
    )

    @property
    def chart(self) -> Plot | None:
        """The curve between its bounds; None before the first look."""
        if not self.curve:
            return None
        places = list(enumerate(self.curve, self.curve_from))
        return curve_plot(places, {self.lower: "no", self.upper: "yes"})


class LogEntry(BaseModel):
    at: datetime
    kind: str
    reason: str


class WaitAnswer(BaseModel):
    """Something that sets of a tournament wait for."""

    reason: str = Field(
        description="NOT_STARTED, PAUSED, NO_WORKER, NO_SANDBOX, BOTS_ABSENT, BACK_OFF, BOT_LIMIT, "
        "QUEUED, WAITS_ITS_TURN, or QUARANTINED and REFUSED of a bot."
    )
    text: str
    sets: int = Field(description="How many sets, of the first 500 that wait.")
    until: datetime | None = Field(description="When that is over at the latest, if it is known.")


class SeasonLink(BaseModel):
    """The season of a league that a tournament is part of."""

    league: str = Field(description="Id; page /leagues/{league}.")
    name: str
    season: int


class Tournament(TournamentSummary):
    season: SeasonLink | None = Field(description="The league's season it is part of.")
    options: dict[str, object]
    format: str
    format_options: dict[str, object]
    extendable: bool = Field(
        description="Whether the format can be made longer while it is played."
    )
    sets_per_pairing: int
    clock: dict[str, object]
    policy: str
    commitment: str = Field(description="SHA-256 of the secret the decks are made from.")
    secret: str | None = Field(description="The secret itself (hex), once the tournament is over.")
    progress: Progress
    entrants: list[EntrantAnswer]
    standings: list[Standing]
    crosstable: Crosstable | None
    snapshot: int | None = Field(
        description="Snapshot of ratings that elo and crosstable are from."
    )
    rounds: list[RoundAnswer] = Field(description="Rounds, where the format has several.")
    test: TestAnswer | None = Field(description="The sequential test of a versus.")
    priority: int = Field(description="Each step doubles its share of the workers.")
    absence: str = Field(description="What becomes of sets whose self-hosted bot stays away.")
    wait_seconds: int = Field(description="How long it may stay away before that.")
    waits: list[WaitAnswer] = Field(description="What its sets wait for.")
    log: list[LogEntry] = Field(description="What was decided, and why; the latest first.")
    second_looks: list[SecondLookAnswer] = Field(
        description="Of self-hosted bots: whether they play decks better when they come again."
    )


class TournamentRequest(BaseModel):
    """A tournament to be created."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, StringConstraints(max_length=40)]
    entrants: list[Label] = Field(
        min_length=2,
        max_length=200,
        description="Version labels: `careful`, `ana/heart` (newest admitted) or `ana/heart/3`.",
    )
    sets: int = Field(10, ge=1, le=100_000, description="Duplicate sets for every pairing.")
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)] | None = None
    options: dict[str, object] = Field(
        default_factory=dict, description="Options of the game; defaults for the others."
    )
    preset: Annotated[str, StringConstraints(max_length=40)] | None = None
    format: Annotated[
        str,
        StringConstraints(max_length=40),
        Field(description=f"One of {', '.join(FORMATS)}."),
    ] = "round_robin"
    format_options: Annotated[
        dict[str, object], Field(description="Options of the format; defaults for the others.")
    ] = {}
    one_owner: Annotated[
        bool, Field(description="Bots of one owner may meet (those of the house always may).")
    ] = True
    rated: bool = True
    exhibition: Annotated[
        bool, Field(description="To be looked at alone: in no rating, and marked as such.")
    ] = False
    policy: Annotated[
        str,
        Field(
            max_length=40,
            description="After an illegal action or a time-out: forfeit_deal, forfeit_match, "
            "substitute, or substitute:N, which forfeits the match after N penalties.",
        ),
    ] = "forfeit_deal"
    clock: Annotated[
        dict[str, int | bool],
        Field(
            description="bank_ms a match, increment_ms a deal more, cap_ms a decision, ready_ms to "
            "begin, tolerance_ms; untimed, which is never rated. Defaults for the others."
        ),
    ] = {}
    priority: Annotated[
        int, Field(ge=-5, le=5, description="Each step doubles its share of the workers.")
    ] = 0
    absence: Annotated[
        Literal["wait", "void", "forfeit"],
        Field(description="What becomes of sets whose self-hosted bot stays away."),
    ] = "wait"
    wait_seconds: Annotated[
        int, Field(ge=0, le=2_592_000, description="How long it may stay away before that.")
    ] = 0
    start: Annotated[bool, Field(description="Begin at once; else nonces can be added first.")] = (
        True
    )


class Preview(BaseModel):
    """What a tournament would come to."""

    rounds: int
    sets: int = Field(description="At least so many sets are played.")
    sets_most: int | None = Field(description="At most so many; null for no end.")
    matches: int
    deals: int
    deals_a_match: int
    options: dict[str, object]
    format_options: dict[str, object]
    rated: Annotated[bool, Field(description="Whether it would count in ratings.")] = True
    sets_each: float = Field(description="Sets a bot plays on average.")
    elo_error: float | None = Field(
        description="Half the 95 % interval to be expected of an Elo rating of equal bots."
    )
    seconds: float | None = Field(
        description="How long it takes, by past sets of this game; null when there are none."
    )


class ExtendRequest(BaseModel):
    """How much longer a tournament is to be."""

    model_config = ConfigDict(extra="forbid")

    by: int = Field(
        ge=1,
        le=100_000,
        description="Sets a table; rounds of a Swiss; sets for each of a ladder; limit of a test.",
    )


class SetSummary(BaseModel):
    id: str
    number: int
    state: str
    reason: str | None
    players: list[str] = Field(description="Labels of the versions that meet.")
    scores: list[float] | None = Field(description="Returns over the set, by player.")
    margins: list[float] | None = Field(
        description="Score minus table mean over the set, by player."
    )
    deals: int
    attempts: int
    finished: datetime | None
    matches: list[str] = Field(description="Ids of its matches, one a seating.")
