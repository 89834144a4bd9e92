"""Which protection works on this machine."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Name = Literal["strict", "landlock", "none"]


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of the sandbox and why it was chosen.

    `strict` is bubblewrap (the binary at `bubblewrap`) with the system call filter, `landlock` is
    Landlock with the same filter, `none` means that nothing works here. `reason` is for people:
    what was found, and for each better layer why it was not.
    """

    name: Name
    reason: str
    bubblewrap: str = ""

    @property
    def safe(self) -> bool:
        """May bots of strangers run in it?"""
        return self.name != "none"

    def to_json(self) -> dict[str, Any]:
        """For storing and for other processes."""
        return asdict(self)

    @classmethod
    def from_json(cls, payload: dict[str, Any]) -> "Layer":
        """The inverse of `to_json`."""
        return cls(**payload)
