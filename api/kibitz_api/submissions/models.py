"""What an upload is answered with."""

from pydantic import BaseModel, Field


class SubmissionAnswer(BaseModel):
    bot: str = Field(description="Label of the bot: `owner/name`.")
    version: int = Field(description="Number of the version, counted from 1 for each bot.")
    version_id: int = Field(description="Ask GET /versions/{version_id} how its trial went.")
    new: bool = Field(description="False: the very same content was submitted before.")
    state: str
    content_hash: str
    url: str = Field(description="Path of the version's page.")
