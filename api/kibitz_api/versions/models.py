"""One version of a bot as the API tells it."""

from pydantic import BaseModel, Field

from kibitz_api.bots.models import VersionSummary


class AdmissionAnswer(BaseModel):
    """Where the trial of a submitted version stands."""

    state: str = Field(description="waiting, leased, done or void.")
    ahead: int = Field(description="Trials that wait before this one.")
    waited_seconds: float = Field(description="Since the upload.")
    attempts: int
    reason: str | None


class VersionTournament(BaseModel):
    id: str
    name: str
    game: str
    title: str
    state: str


class VersionAnswer(VersionSummary):
    bot: str = Field(description="Label of its bot; page /bots/{bot}.")
    kind: str
    label: str = Field(description="What records call it: `owner/bot/number`.")
    admission: AdmissionAnswer | None = Field(description="Null for bots that are not submitted.")
    tournaments: list[VersionTournament] = Field(description="The newest it plays in.")
    log: str | None = Field(description="Tail of its standard error; null unless you own the bot.")
