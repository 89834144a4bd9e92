"""An engine that speaks UCI and plays the first legal move; it needs ``chess``."""

from __future__ import annotations

import sys

import chess


def main() -> None:
    """Answer commands until ``quit`` or the end of the input."""
    board = chess.Board()
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "uci":
            _say("id name first", "uciok")
        elif command == "isready":
            _say("readyok")
        elif command == "position":
            board = _position(words)
        elif command == "go":
            _say(f"bestmove {next(iter(board.legal_moves)).uci()}")
        elif command == "quit":
            return


def _position(words: list[str]) -> chess.Board:
    given, _, moves = " ".join(words).partition("moves")
    board = chess.Board() if given.startswith("startpos") else chess.Board(given[len("fen ") :])
    for move in moves.split():
        board.push_uci(move)
    return board


def _say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
