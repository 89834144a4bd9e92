"""Everything that can go wrong, by what the caller can do about it.

KibitzError
├── OptionError             a game, preset or option that does not exist, or a value it cannot have
├── CardError               a text or number that is no card of this game
│   └── DeckError           a deck with wrong, missing or doubled cards
├── ActionError             something that is no action of this game
│   └── IllegalActionError  an action of this game that the rules do not allow now
├── MatchError              a match asked for something out of turn
├── RecordError             a record that cannot be read or does not check
├── ArchiveError            an archive of a tournament that cannot be read or is not sound
├── EventsError             events that cannot be, from whoever told what a seat saw
├── ImagineError            no whole deal was found that fits a view
├── BotError                a bot that cannot be loaded, or that failed
└── RulesError              a game's own code broke the frame's contract: a bug in the game
"""

from collections.abc import Sequence


class KibitzError(Exception):
    """The root of all errors of this package.

    ``reason`` is for programs: an upper-case name that does not change with the wording.
    """

    reason = "ERROR"

    def __init__(self, message: str, *, reason: str | None = None) -> None:
        super().__init__(message)
        if reason is not None:
            self.reason = reason


class OptionError(KibitzError):
    """A game, preset or option does not exist, or an option cannot have this value."""

    reason = "BAD_OPTION"

    def __init__(
        self, message: str, *, option: str | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message, reason=reason)
        self.option = option


class CardError(KibitzError):
    """A text or number is no card of this game."""

    reason = "BAD_CARD"


class DeckError(CardError):
    """A deck has wrong, missing or doubled cards."""

    reason = "BAD_DECK"


class ActionError(KibitzError):
    """A text or number is no action of this game."""

    reason = "UNKNOWN_ACTION"


class IllegalActionError(ActionError):
    """An action exists in this game, but may not be taken now.

    ``action`` is the code of what was tried, ``legal`` the codes of what may be done.
    """

    reason = "ILLEGAL_ACTION"

    def __init__(self, action: str, legal: Sequence[str]) -> None:
        may = " ".join(legal) if legal else "nothing, the deal is over"
        super().__init__(f"{action} is not legal here; legal: {may}")
        self.action = action
        self.legal = tuple(legal)


class MatchError(KibitzError):
    """A match was asked for something out of turn."""

    reason = "BAD_MATCH_STEP"


class RecordError(KibitzError):
    """A record cannot be read, or it does not say what its own cards and actions give.

    ``deal`` and ``action`` count from 0 and name the first thing that is wrong, or are ``None``.
    """

    reason = "BAD_RECORD"

    def __init__(
        self,
        message: str,
        *,
        deal: int | None = None,
        action: int | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__(message, reason=reason)
        self.deal = deal
        self.action = action


class ArchiveError(KibitzError):
    """The archive of a tournament cannot be read, or is not what it should be."""

    reason = "BAD_ARCHIVE"


class EventsError(KibitzError):
    """What a seat is told cannot be: an event of a place or a card that the game has not."""

    reason = "BAD_EVENTS"


class ImagineError(KibitzError):
    """No whole deal was found that fits a view."""

    reason = "NOT_IMAGINED"


class BotError(KibitzError):
    """A bot cannot be loaded, or failed while it played.

    ``where`` is the ``file:line`` its author should look at, ``traceback`` the whole story from the
    bot's own code on; both are empty where there is none.
    """

    reason = "BOT_FAILED"

    def __init__(
        self, message: str, *, reason: str | None = None, where: str = "", traceback: str = ""
    ) -> None:
        super().__init__(message, reason=reason)
        self.where = where
        self.traceback = traceback


class RulesError(KibitzError):
    """A game's own code broke the contract of the rules frame."""

    reason = "RULES_BUG"
