"""The command `./dev bench rules|referee|ratings|tournament|all [--json] [--quick]`."""

import argparse
import importlib
import json
import sys
from collections.abc import Mapping

BENCHMARKS = ("rules", "referee", "ratings", "tournament")


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmarks asked for; print a table, or one JSON object a line and benchmark."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("which", nargs="?", choices=[*BENCHMARKS, "all"], default="all")
    parser.add_argument("--json", action="store_true", help="one JSON object a benchmark")
    parser.add_argument("--quick", action="store_true", help="short runs: figures are rough")
    asked = parser.parse_args(arguments)
    for name in BENCHMARKS if asked.which == "all" else (asked.which,):
        figures = measure(name, quick=asked.quick)
        print(json.dumps(figures) if asked.json else table(name, figures), flush=True)


def measure(name: str, *, quick: bool) -> dict[str, object]:
    """Run one benchmark; its keys are documented in bench/README.md."""
    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    figures = importlib.import_module(f"bench.{name}").measure(quick=quick)
    return {"benchmark": name, **figures}


def table(name: str, figures: Mapping[str, object]) -> str:
    """Lay figures out for a reader: a line a key, nested keys indented."""
    return "\n".join([name, *lines(figures, "  ")])


def lines(figures: Mapping[str, object], indent: str) -> list[str]:
    """Give the lines of one level of a table."""
    found: list[str] = []
    width = max((len(str(key)) for key in figures), default=0)
    for key, value in figures.items():
        if isinstance(value, Mapping):
            found += [f"{indent}{key}", *lines(value, indent + "  ")]
        elif key != "benchmark":
            found.append(f"{indent}{key!s:<{width}}  {number(value)}")
    return found


def number(value: object) -> str:
    """Write a figure with about three digits that matter, thousands apart."""
    if isinstance(value, float) and abs(value) < 100:
        return f"{value:.3g}"
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)


if __name__ == "__main__":
    main()
