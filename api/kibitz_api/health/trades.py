"""Pairs of bots that fare with one another unlike with all others: traded wins, perhaps."""

from kibitz_worker.store.models import Snapshot

from kibitz_api.health.models import TradeAnswer, TradesAnswer


def trades(snapshots: list[Snapshot]) -> TradesAnswer:
    """What the newest ratings tell, pairs of one owner first."""
    told = [(each, each.payload.get("insights", {}).get("trades") or {}) for each in snapshots]
    pairs = [
        TradeAnswer(game=each.game, pool=each.pool, snapshot=each.id, **pair)
        for each, found in told
        for pair in found.get("found", [])
    ]
    return TradesAnswer(
        of_one_owner=sum(found.get("of_one_owner", 0) for _, found in told),
        of_others=sum(found.get("of_others", 0) for _, found in told),
        pairs=sorted(pairs, key=lambda pair: (not pair.same_owner, pair.corrected)),
    )


def alarms(found: TradesAnswer) -> list[str]:
    """What an operator should know, in words."""
    return [
        f"{pair.one} and {pair.two} fare with one another in {pair.game} unlike with all others "
        f"(snapshot {pair.snapshot}): a reason to look, not a proof; nothing was done."
        for pair in found.pairs
    ]
