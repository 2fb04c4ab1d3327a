"""The first step writes, the later ones add."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_first_step(x: GMTensor, y: GMTensor, K: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for k in range(K):
            ub[slot] <<= x[k * 64:k * 64 + 64, 0:64]
            if k == 0:
                adds(acc, ub[slot], 0.0)
            else:
                add(acc, acc, ub[slot])
            slot += 1
        y[0:64, 0:64] <<= acc
    return y
