"""The curve between strengths and chances."""

import numpy as np

from kibitz_worker.ratings.results import Floats


def logistic(x: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow for any x."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)), dtype=np.float64)
