"""A sequential test for people: as lines of text, and its course as a picture."""

import math
from html import escape

from kibitz.cli.console import clean

from kibitz_worker.ratings.files.picture import PLOT, STYLE, printable, ticks
from kibitz_worker.ratings.files.trial import Trial

HEIGHT, LEFT, TOP, BOTTOM = 240, 56, 40, 44
ANSWERS = {
    "accepted": "yes",
    "rejected": "no",
    "undecided": "undecided at the limit",
    "running": "not decided yet",
}
UNITS = {"logistic": "Elo", "normalized": "normalized Elo", "margin": "points a deal"}


def show_trial(trial: Trial) -> None:
    """Print the question, the answer, and how sure it is."""
    plan, now = trial.plan, trial.progress
    unit = UNITS[plan.model]
    answer = ANSWERS[now.state].capitalize()
    print(f"Is {clean(trial.one)} better than {clean(trial.two)}? {answer}.")
    print(
        f"{plan.h1:g} {unit} or more, rather than {plan.h0:g} or less; it errs with probability"
        f" {plan.alpha:g} and {plan.beta:g}."
    )
    print(
        f"Log-likelihood ratio {now.llr:+.2f} after {now.sets} sets:"
        f" no at {now.lower:.2f}, yes at {now.upper:.2f}."
    )
    if now.expected_left is not None and now.chance is not None:
        print(
            f"About {math.ceil(now.expected_left)} sets to come if it goes on so,"
            f" then yes with {now.chance:.0%}."
        )
    elif now.state == "running":
        print(f"Nothing is decided before {plan.looks_from} sets.")
    if trial.counts is not None:
        print("Game pairs from both lost to both won: " + " ".join(map(str, trial.counts)))
    if trial.estimate is not None:
        found = trial.estimate
        print(
            f"Elo {found.elo:+.1f} ± {found.elo_error:.1f}, normalized"
            f" {found.normalized:+.1f} ± {found.normalized_error:.1f}, LOS {found.los:.1%}"
        )
    if trial.left_out:
        print(clean(trial.left_out))


def draw_trial(trial: Trial) -> str:
    """An SVG of the log-likelihood ratio after each set, between its bounds."""
    now = trial.progress
    low, high = min(now.lower, *now.curve, 0.0) - 0.3, max(now.upper, *now.curve, 0.0) + 0.3
    last = max(now.sets, now.curve_from + 1)
    width, bottom = LEFT + PLOT + 24, HEIGHT - BOTTOM

    def across(sets: float) -> float:
        return LEFT + PLOT * sets / last

    def down(ratio: float) -> float:
        return TOP + (bottom - TOP) * (high - ratio) / (high - low)

    told = f"{printable(trial.one)} against {printable(trial.two)}: {ANSWERS[now.state]}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}"'
        f' height="{HEIGHT}" role="img"><title>{escape(told)}</title>',
        f"<style>{STYLE} .curve {{ fill: none }} .limit {{ stroke-dasharray: 6 4 }}</style>"
        f'<rect class="paper" width="{width}" height="{HEIGHT}"/>'
        f'<text x="{LEFT}" y="22">{escape(told)}</text>',
    ]
    for ratio, word in ((now.upper, "yes"), (0.0, "0"), (now.lower, "no")):
        y = down(ratio)
        kind = "grid" if ratio == 0.0 else "bar limit"
        parts.append(
            f'<line class="{kind}" x1="{LEFT}" x2="{LEFT + PLOT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="end" x="{LEFT - 8}" y="{y + 4:.1f}">{word}</text>'
        )
    parts += [
        f'<text class="middle" x="{across(tick):.1f}" y="{bottom + 24}">{tick}</text>'
        for tick in ticks(0, last)
    ]
    places = enumerate(now.curve, now.curve_from)
    line = " ".join(f"{across(n):.1f},{down(ratio):.1f}" for n, ratio in places)
    parts.append(f'<polyline class="bar curve" points="{line}"/>' if line else "")
    return "\n".join([*parts, "</svg>", ""])
