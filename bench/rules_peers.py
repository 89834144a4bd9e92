"""Random play of other card game libraries, to set beside that of Kibitz."""

import importlib
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time
from typing import Any


def openspiel_bridge(deals: int) -> Callable[[], float] | None:
    """Return a run of OpenSpiel's bridge without its double dummy solver, if it is installed."""
    pyspiel = installed("pyspiel", "OpenSpiel")
    if pyspiel is None:
        return None
    return partial(
        bridge_playing, pyspiel.load_game("bridge(use_double_dummy_result=false)"), deals
    )


def textarena_german_whist(deals: int) -> Callable[[], float] | None:
    """Return a run of TextArena's German Whist, if it is installed."""
    textarena = installed("textarena.envs.GermanWhist.env", "TextArena")
    return None if textarena is None else partial(textarena_playing, textarena, deals)


def installed(module: str, name: str) -> Any:
    """Return a module, or ``None`` with a word on what is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{name} is not installed: no comparison with it", file=sys.stderr)
        return None


def bridge_playing(bridge: Any, deals: int) -> float:
    """Return decisions per CPU-second of random bridge; dealing takes time but is not counted."""
    rng = Random(1)
    random, decisions = rng.random, 0
    start = process_time()
    for _ in range(deals):
        state = bridge.new_initial_state()
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
    return decisions / (process_time() - start)


def textarena_playing(textarena: Any, deals: int) -> float:
    """Return decisions per CPU-second of random German Whist, played by texts as TextArena has it.

    It makes no observation for the players, and which cards are legal is asked card by card.
    """
    env, rng, decisions = textarena.GermanWhistEnv(), Random(1), 0
    start = process_time()
    for seed in range(deals):
        env.reset(2, seed=seed)
        over = False
        while not over:
            player = env.state.current_player_id
            hand = env.state.game_state["players"][player]["hand"]
            legal = [i for i, card in enumerate(hand, 1) if env._is_valid_play(player, card)]
            over, _ = env.step(f"[play {legal[int(rng.random() * len(legal))]}]")
            decisions += 1
    return decisions / (process_time() - start)
