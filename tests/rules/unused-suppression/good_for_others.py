"""A function that kernels of other files call: what its comment silences is seen there."""
from easyasc.a2 import *


def fill(tile):
    dup(tile, 0.0)  # a2lint: ignore[dup-coverage] the callers fill the rest


@kernel(mode="vec")
def good_for_others(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub
    return y
