"""What can go wrong between a bot and a referee.

ClientError (a KibitzError)
├── RefusedError      the referee does not want the bot; trying again won't help
├── NonsenseError     what the referee says makes no sense
└── UnreachableError  no referee answers, or the connection was lost for too long
"""

from kibitz.errors import KibitzError


class ClientError(KibitzError):
    """The root of the errors of a connection to a referee."""

    reason = "CLIENT_ERROR"


class RefusedError(ClientError):
    """The referee does not want the bot; ``reason`` is the referee's own."""

    reason = "REFUSED"


class UnreachableError(ClientError):
    """No referee answers at the address, or not any more."""

    reason = "REFEREE_UNREACHABLE"


class NonsenseError(ClientError):
    """What the referee says makes no sense: it is none, or of a version that cannot be spoken."""

    reason = "NONSENSE"
