"""A fill before an inner loop that ends in a store."""
from easyasc.a2 import *


@kernel(mode="vec")
def dup_before_inner_loop(x: GMTensor, y: GMTensor, M: Var, N: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [64, 1], Position.UB)
    now = Tensor(DT.float, [64, 1], Position.UB)
    slot = Var(0)
    with auto_sync():
        for r in range(0, M, 64):
            dup(top, -1.0e30)
            for c in range(0, N, 64):
                ub[slot] <<= x[r:r + 64, c:c + 64]
                cmax(now, ub[slot])
                vmax(top, top, now)
                bar_all()
                y[r:r + 64, c:c + 64] <<= ub[slot]
                slot += 1
    return y
