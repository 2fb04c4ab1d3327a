"""The accumulator is added to before anything filled it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_accumulator(x: GMTensor, y: GMTensor, K: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for k in range(K):
            ub[slot] <<= x[k * 64:k * 64 + 64, 0:64]
            add(acc, acc, ub[slot])  #~ ERROR uninitialized-read: add() reads `acc` [64,64] (its `src1`), and nothing has written it: UB is undefined
            slot += 1
        y[0:64, 0:64] <<= acc
    return y
