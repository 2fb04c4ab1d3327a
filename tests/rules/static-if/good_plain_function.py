"""The branch of a plain function stays Python's."""
from easyasc.a2 import *


def scale(tile, factor):
    if factor is None:
        muls(tile, tile, 2.0)
    elif factor > 1:
        muls(tile, tile, factor)


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        scale(ub, None)
        y[0:64, 0:64] <<= ub
    return y
