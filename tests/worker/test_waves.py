"""Waves of a job: one pairing each, no more than is played at once, and time counted once."""

from kibitz_worker.play.waves import AT_ONCE, WAVE, covered, in_waves


def test_a_wave_is_of_one_pairing() -> None:
    sets = {f"abc-{pairing}-{n}": n + 1 for pairing in (3, 7) for n in range(WAVE + 2)}
    waves = in_waves(sets)
    assert [len(wave) for wave in waves] == [WAVE, 2, WAVE, 2]
    assert all(len({key.rpartition("-")[0] for key in wave}) == 1 for wave in waves)
    assert {key: n for wave in waves for key, n in wave.items()} == sets
    assert AT_ONCE >= 2 * WAVE  # one wave is played while the bots of the next come up


def test_time_is_counted_once() -> None:
    assert covered([]) == 0
    assert covered([(1.0, 2.0), (4.0, 6.5)]) == 3.5
    assert covered([(1.0, 5.0), (2.0, 3.0), (4.0, 6.0), (6.0, 7.0)]) == 6.0
