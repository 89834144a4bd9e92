"""The seed of a bot's own chance: repeated at every attempt, telling nothing of anything else."""

from kibitz_worker.schedule import bot_seed


def test_a_version_has_the_same_seed_at_every_attempt_and_no_other_has_it() -> None:
    secret, other = bytes(32), bytes([1]) * 32
    assert bot_seed(secret, 7) == bot_seed(secret, 7)
    seeds = {bot_seed(key, version) for key in (secret, other) for version in range(100)}
    assert len(seeds) == 200


def test_the_seed_of_known_input_never_changes() -> None:
    assert (
        bot_seed(bytes(32), 1) == "4790f8f1f3fab733c5020167031cb29459afed42a337be237ed5b2167b240a16"
    )
