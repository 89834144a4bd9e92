"""`python -m kibitz_worker.sandbox`: attack every layer of this machine and print what held."""

import argparse
import json
import sys

from kibitz_worker.sandbox.layer import Layer
from kibitz_worker.sandbox.probe import candidates, probe
from kibitz_worker.sandbox.siege import Outcome, besiege


def _describe(layer: Layer, outcome: Outcome) -> str:
    if outcome.failure:
        return f"{layer.reason}: does not start: {outcome.failure}"
    lines = [f"{layer.reason}: {'holds' if outcome.held else 'does not hold'}"]
    for name, what in outcome.report.items():
        lines.append(f"  {name.replace('_', ' '):24} {what or 'blocked'}")
    return "\n".join(lines)


def main() -> int:
    """Print all layers and the one that is used; the exit code is 1 if none works."""
    parser = argparse.ArgumentParser(prog="python -m kibitz_worker.sandbox", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    outcomes = [(layer, besiege(layer)) for layer in candidates()]
    chosen = probe()
    if options.json:
        tried = [
            {"layer": layer.to_json(), "report": outcome.report, "failure": outcome.failure}
            for layer, outcome in outcomes
        ]
        print(json.dumps({"used": chosen.to_json(), "tried": tried}))
    else:
        for layer, outcome in outcomes:
            print(_describe(layer, outcome))
        print(f"used: {chosen.name} ({chosen.reason})")
    return 0 if chosen.safe else 1


if __name__ == "__main__":
    sys.exit(main())
