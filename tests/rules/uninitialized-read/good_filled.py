"""The same accumulator, filled first."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_filled(x: GMTensor, y: GMTensor, K: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        dup(acc, 0.0)
        for k in range(K):
            ub[slot] <<= x[k * 64:k * 64 + 64, 0:64]
            add(acc, acc, ub[slot])
            slot += 1
        y[0:64, 0:64] <<= acc
    return y
