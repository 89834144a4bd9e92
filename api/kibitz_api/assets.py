"""The front end's files: under which addresses pages ask for them, and what was not built."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).parent / "static"
STYLES = ("kibitz.css", "data.css", "replay.css")
NOT_BUILT = (
    "The interactive parts of this dashboard were not built (no Node.js at installation, or "
    "KIBITZ_SKIP_UI was set). Everything can be read without them."
)


@dataclass(frozen=True)
class Assets:
    """Addresses with a part that changes with the content, so that browsers may keep the files."""

    styles: tuple[str, ...]
    theme: str | None
    app: str | None

    @property
    def missing(self) -> str | None:
        """The plain line that pages show when the bundle was not built."""
        return None if self.app else NOT_BUILT


def find(static: Path = STATIC) -> Assets:
    """Look which files there are below `static`."""
    return Assets(
        styles=tuple(_addresses(static, STYLES)),
        theme=next(_addresses(static, ["theme.js"]), None),
        app=next(_addresses(static, ["app/app.js"]), None),
    )


def _addresses(static: Path, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        path = static / name
        if path.is_file():
            yield f"/static/{name}?v={sha256(path.read_bytes()).hexdigest()[:12]}"
