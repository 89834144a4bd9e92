"""The standing check that nobody is favoured: one bot entered twice."""

from kibitz_worker.store.models import Snapshot

from kibitz_api.health.models import TwinAnswer


def twins(snapshots: list[Snapshot]) -> list[TwinAnswer]:
    """The checks of the newest ratings, those with an alarm first."""
    found = [answer for snapshot in snapshots for answer in _of(snapshot)]
    return sorted(found, key=lambda each: (not each.alarm, each.game, each.one))


def _of(snapshot: Snapshot) -> list[TwinAnswer]:
    return [
        TwinAnswer(
            game=snapshot.game,
            snapshot=snapshot.id,
            one=told["one"],
            two=told["two"],
            elo=told.get("elo"),
            error=told.get("error"),
            p_value=told.get("p_value"),
            alarm=told["alarm"],
        )
        for told in snapshot.payload.get("insights", {}).get("twins", [])
    ]


def alarms(found: list[TwinAnswer]) -> list[str]:
    """What an operator should know, in words."""
    return [
        f"{each.one} and {each.two} are the same bot and differ beyond luck in {each.game} "
        f"(snapshot {each.snapshot}): a seat, an order or a machine favours somebody."
        for each in found
        if each.alarm
    ]
