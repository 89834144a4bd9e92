"""The archive of a tournament: all that anybody needs to check it, in one file.

A zip with ``tournament.json`` (what was agreed, the secret and its commitment, entrants with their
nonces, pairings, standings), ``sets/NUMBER.json`` (scores of each set and of its matches) and
``records/MATCH.json`` (the record of each match). :func:`verify` checks it without any server.
"""

from kibitz.archive.checking import Finding, Report, verify
from kibitz.archive.container import FORMAT, ArchiveReader, ArchiveWriter

__all__ = ["FORMAT", "ArchiveReader", "ArchiveWriter", "Finding", "Report", "verify"]
