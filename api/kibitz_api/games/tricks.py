"""Worked tricks in the pages of the rules: a few lines of text, shown as cards on a table."""

from typing import NamedTuple

from markupsafe import Markup, escape

from kibitz_api.words import action_words


class WorkedTrick(NamedTuple):
    """Who played which card, in order, with which trumps (a suit or "none"), and who won."""

    trumps: str
    played: tuple[tuple[str, str], ...]
    winner: str


def parse_trick(text: str) -> WorkedTrick:
    """Read the three lines of a worked trick: ``trumps H``, ``Anna TC, Ben 2H``, ``winner Ben``.

    Raises:
        ValueError: it has other lines than these.
    """
    trumps, cards, winner = text.strip().splitlines()
    played = tuple((name, code) for name, code in map(str.split, cards.split(",")))
    found = WorkedTrick(trumps.removeprefix("trumps "), played, winner.removeprefix("winner "))
    if found.winner not in dict(played):
        raise ValueError(f"{found.winner!r:.40} has played no card of the trick")
    return found


def trick_html(trick: WorkedTrick) -> Markup:
    """Return a worked trick as a small table."""
    heads, cards = Markup(""), Markup("")
    for name, code in trick.played:
        wins = name == trick.winner
        text, suit = action_words(code)
        cell = Markup('<span class="suit-{}">{}</span>').format((suit or "none").lower(), text)
        heads += Markup('<th scope="col">{}</th>').format(name)
        cards += Markup("<td>{}</td>").format(
            Markup("<strong>{}</strong>").format(cell) if wins else cell
        )
    return Markup(
        '<figure class="table-scroll"><table class="table compact">'
        "<thead><tr>{}</tr></thead><tbody><tr>{}</tr></tbody></table>"
        "<figcaption>{}; {} wins.</figcaption></figure>\n"
    ).format(heads, cards, _trumps(trick.trumps), escape(trick.winner))


def _trumps(trumps: str) -> str:
    if trumps == "none":
        return "No trumps"
    return (
        f"Trumps are {action_words(trumps)[0]}" if trumps != "T" else "Trumps are always the same"
    )
