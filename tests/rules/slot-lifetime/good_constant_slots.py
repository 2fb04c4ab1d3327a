"""Slots that are numbered by hand are no ring."""
from easyasc.a2 import *

@kernel(mode="vec")
def by_hand(x: GMTensor, y: GMTensor, N: Var):
    pair = DBuff(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for i in range(0, N):
            pair[0] <<= x[i * 64:i * 64 + 64, 0:64]
            exp(pair[1], pair[0])
            y[i * 64:i * 64 + 64, 0:64] <<= pair[1]
    return y
