"""The cells of a crosstable as HTML: there are hundreds, and a macro takes ten times as long."""

from collections.abc import Sequence

from kibitz.amounts import amount
from markupsafe import Markup, escape

from kibitz_api.figures import DASH, plain, signed
from kibitz_api.leaderboards.crosstables import CrosstableCell

NEVER = f'<td class="none"><span>{DASH}</span></td>'
SELF = '<td class="self"><span>·</span></td>'


def cells(
    row: Sequence[CrosstableCell | None],
    number: int,
    names: Sequence[str],
    keys: Sequence[str],
    show: str,
    address: str | None,
) -> Markup:
    """A row of a crosstable, the one with this `number`.

    `names` and `keys` are the players' labels for people and for URLs. A cell shows what `show`
    names and leads to `address` with both players, if there is one.
    """
    link = f"{address}a={keys[number]}&b=" if address else None
    found: list[str] = []
    for column, cell in enumerate(row):
        if cell is None:
            found.append(SELF if column == number else NEVER)
            continue
        title = escape(_meeting(cell, names[number], names[column]))
        tag = f'a href="{escape(link + keys[column])}"' if link else "span"
        end = "a" if link else "span"
        text = f'<{tag} title="{title}">{_shown(cell, show)}</{end}>'
        found.append(f'<td class="{cell.shade}">{text}</td>')
    return Markup("\n".join(found))  # noqa: S704 (what comes from outside is escaped above)


def _shown(cell: CrosstableCell, show: str) -> str:
    if show == "margin":
        return signed(cell.margin)
    if show == "los":
        return plain(None if cell.los is None else 100 * cell.los)
    return plain(100 * cell.share)


def _meeting(cell: CrosstableCell, row: str, column: str) -> str:
    """What a cell of a crosstable says when one points at it."""
    told = f"{row} against {column}: {amount(cell.sets, 'set')}"
    told += f"; {signed(cell.margin)} points a deal"
    if cell.significant:
        told += "; beyond its error"
    return told if cell.los is None else f"{told}; stronger with {plain(100 * cell.los)} %"
