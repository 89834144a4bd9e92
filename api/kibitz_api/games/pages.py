"""The games' rules for players: the pages of docs/rules, made into HTML."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from kibitz_api.games.tricks import parse_trick, trick_html

# A wheel holds the pages in this package; a clone has them among its documents.
_FOLDERS = (
    Path(__file__).parent / "rules",
    Path(__file__).parents[3] / "docs" / "rules",
)
_LINK = re.compile(r"(\w+)\.md(#.*)?")


class RulesPage(NamedTuple):
    """A page as HTML without its title, and its headings as pairs (id, text)."""

    html: Markup
    headings: tuple[tuple[str, str], ...]


@cache
def rules_page(game: str) -> RulesPage | None:
    """Return the rules of a game, or None where they are not written down."""
    path = next((file for one in _FOLDERS if (file := one / f"{game}.md").is_file()), None)
    if path is None:
        return None
    markdown = _markdown()
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    tokens = tokens[3:]  # the title, which the page shows by itself
    headings = [_named(*pair) for pair in pairwise(tokens) if pair[0].type == "heading_open"]
    html = markdown.renderer.render(tokens, markdown.options, {})
    return RulesPage(Markup(html), tuple(headings))  # noqa: S704  HTML in the pages is not let through


def _named(opening: Token, text: Token) -> tuple[str, str]:
    name = re.sub(r"\W+", "-", text.content.lower()).strip("-")
    opening.attrSet("id", name)
    return name, text.content


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("table_open", _table_open)
    markdown.add_render_rule("table_close", _table_close)
    markdown.add_render_rule("link_open", _link_open)
    markdown.add_render_rule("fence", _fence)
    return markdown


def _table_open(_: Any, tokens: Sequence[Token], index: int, *_more: Any) -> str:
    kind = " options" if tokens[index + 4].content == "option" else ""  # its first heading
    return f'<div class="table-scroll"><table class="table compact{kind}">\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _fence(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    if tokens[index].info == "trick":
        return trick_html(parse_trick(tokens[index].content))
    return str(renderer.fence(tokens, index, options, env))


def _link_open(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Lead a link to another game's page there."""
    found = _LINK.fullmatch(str(tokens[index].attrGet("href")))
    if found:
        tokens[index].attrSet("href", f"/games/{found[1]}{found[2] or ''}")
    return str(renderer.renderToken(tokens, index, options, env))
