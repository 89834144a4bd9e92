"""Asking a bot: what counts as an answer, and whose fault a fault is."""

from collections.abc import Sequence
from typing import Any

import kibitz
import pytest
from kibitz import Bot, BotError, View
from kibitz.bot import BotRunner, Decided, as_bot

NOTHING: dict[int, int] = {}


def view_at(table: str = "t", seed: int = 1) -> View:
    game = kibitz.game("german_whist")
    deal = game.new_deal(kibitz.shuffle(game, seed))
    return deal.view(1).at_table(table)


class First(Bot):
    def play(self, view: View) -> kibitz.Action:
        return view.legal[0]


def decide(bot: Any, view: View) -> Decided:
    [answer] = BotRunner(bot).decide([view])
    return answer


def test_an_answer_may_be_an_action_its_number_or_its_code() -> None:
    view = view_at()
    wanted = view.legal[3]
    for answer in (wanted, int(wanted), wanted.code):
        assert decide(lambda _, answer=answer: answer, view) == wanted


@pytest.mark.parametrize("answer", [None, True, 1.0, "ZZ", "bid:3", -1, 999, [], b"QH"])
def test_anything_else_is_an_illegal_action_that_says_what_is_legal(answer: object) -> None:
    view = view_at()
    fault = decide(lambda _: answer, view)
    assert isinstance(fault, BotError)
    assert fault.reason == "ILLEGAL_ACTION"
    assert all(action.code in str(fault) for action in view.legal)
    assert fault.where.startswith(f"{__file__}:")


class HostileError(Exception):
    """Fails when it is asked what happened, or says what no message can hold."""

    def __init__(self, words: str | None) -> None:
        self.words = words

    def __str__(self) -> str:
        if self.words is None:
            raise RuntimeError("no words")
        return self.words

    def __index__(self) -> int:
        raise self

    def __repr__(self) -> str:
        raise self


class Batched(Bot):
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def play(self, view: View) -> int:
        return 0

    def play_many(self, views: Sequence[View]) -> list[Any]:
        return [self.answer for _ in views]


@pytest.mark.parametrize("words", [None, "\ud800\x1b[31m"])
def test_an_exception_that_cannot_be_shown_is_a_fault_like_others(words: str | None) -> None:
    def broken(view: View) -> int:
        raise HostileError(words)

    for bot in (broken, lambda _: HostileError(words), Batched(HostileError(words))):
        fault = decide(bot, view_at())
        assert isinstance(fault, BotError)
        assert "HostileError" in str(fault)
        assert f"{fault}{fault.traceback}".encode()


def test_an_answer_of_half_a_character_is_an_illegal_action() -> None:
    fault = decide(lambda _: "\ud800", view_at())
    assert isinstance(fault, BotError)
    assert fault.reason == "ILLEGAL_ACTION"
    assert str(fault).encode()


def test_a_card_of_somebody_else_is_illegal() -> None:
    view = view_at()
    other = next(action for action in view.game.actions if action not in view.legal)
    fault = decide(lambda _: other, view)
    assert isinstance(fault, BotError)
    assert f"answered '{other.code}'" in str(fault)


def test_an_exception_names_file_and_line_and_has_the_bots_traceback_only() -> None:
    def broken(view: View) -> int:
        return NOTHING[view.seat]

    fault = decide(broken, view_at())
    assert isinstance(fault, BotError)
    assert fault.reason == "BOT_RAISED"
    line = broken.__code__.co_firstlineno + 1
    assert fault.where == f"{__file__}:{line}"
    assert "KeyError: 1" in fault.traceback
    assert "kibitz/bot.py" not in fault.traceback


def test_leaving_the_interpreter_is_a_fault_and_not_the_end() -> None:
    def leave(_: View) -> int:
        raise SystemExit(3)

    assert isinstance(decide(leave, view_at()), BotError)


def test_a_fault_in_start_is_answered_at_that_table_only_and_until_the_next_deal() -> None:
    class Picky(First):
        def start(self, view: View) -> None:
            if view.table == "bad":
                raise ValueError("not here")

    runner = BotRunner(Picky())
    good, bad = view_at("good"), view_at("bad")
    for view in (good, bad):
        runner.start(view)
    answers = runner.decide([bad, good])
    assert isinstance(answers[0], BotError)
    assert "not here" in str(answers[0])
    assert answers[1] == good.legal[0]
    assert runner.end(bad) is None
    assert runner.decide([bad]) == [bad.legal[0]]


def test_what_start_sets_belongs_to_one_table() -> None:
    class Remembers(Bot):
        def start(self, view: View) -> None:
            self.mine = view.table

        def play(self, view: View) -> kibitz.Action:
            assert self.mine == view.table
            return view.legal[0]

    bot = Remembers()
    runner = BotRunner(bot)
    views = [view_at(table) for table in "abc"]
    for view in views:
        runner.start(view)
    assert runner.decide(views) == [view.legal[0] for view in views]
    assert not hasattr(bot, "mine")


class Batch(Bot):
    def __init__(self) -> None:
        self.sizes: list[int] = []

    def play_many(self, views: Sequence[View]) -> list[int]:
        self.sizes.append(len(views))
        for view in views:
            if view.table == "bad":
                raise RuntimeError("no")
        return [int(view.legal[-1]) for view in views]


def test_a_batch_is_asked_at_once() -> None:
    bot = Batch()
    views = [view_at(str(table)) for table in range(5)]
    assert BotRunner(bot).decide(views) == [view.legal[-1] for view in views]
    assert bot.sizes == [5]


def test_a_fault_in_a_batch_is_found_and_costs_its_own_table_only() -> None:
    views = [view_at(table) for table in ("a", "bad", "c")]
    answers = BotRunner(Batch()).decide(views)
    assert [isinstance(answer, BotError) for answer in answers] == [False, True, False]


def test_a_batch_with_the_wrong_number_of_answers_is_a_fault() -> None:
    class Short(Bot):
        def play_many(self, views: Sequence[View]) -> list[int]:
            return [int(view.legal[0]) for view in views[1:]]

    answers = BotRunner(Short()).decide([view_at("a"), view_at("b")])
    assert [getattr(answer, "reason", "") for answer in answers] == ["WRONG_NUMBER_OF_ANSWERS"] * 2


def test_each_table_has_chance_of_its_own_that_the_seed_repeats() -> None:
    class Chance(Bot):
        def play(self, view: View) -> kibitz.Action:
            return self.rng.choice(view.legal)

    views = [view_at(str(table)) for table in range(20)]
    first, again, other = (BotRunner(Chance(), seed=seed).decide(views) for seed in (5, 5, 6))
    assert first == again
    assert first != other
    assert len(set(map(int, first))) > 1  # type: ignore[arg-type]  # no faults here


def test_a_fault_in_end_is_told_and_nothing_more() -> None:
    class Sulks(First):
        def end(self, view: View) -> None:
            raise ValueError(f"lost at {view.table}")

    fault = BotRunner(Sulks()).end(view_at("t7"))
    assert fault is not None
    assert "lost at t7" in str(fault)


def test_what_is_no_bot_is_refused() -> None:
    class Needs(Bot):
        def __init__(self, size: int) -> None:
            self.size = size

    with pytest.raises(BotError, match="no bot"):
        as_bot(3)  # type: ignore[arg-type]
    with pytest.raises(BotError, match="no bot"):
        as_bot(dict)  # type: ignore[arg-type]
    with pytest.raises(BotError, match=r"Needs\(\) cannot be made"):
        as_bot(Needs)


def test_a_bot_without_play_says_so() -> None:
    fault = decide(Bot(), view_at())
    assert isinstance(fault, BotError)
    assert "play(self, view)" in str(fault)
