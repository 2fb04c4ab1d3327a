"""The snapshot goes through the vector unit."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_add_zero(x: GMTensor, y: GMTensor, T: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    run = Tensor(DT.float, [64, 1], Position.UB)
    now = Tensor(DT.float, [64, 1], Position.UB)
    old = Tensor(DT.float, [64, 1], Position.UB)
    zero = Tensor(DT.float, [64, 1], Position.UB)
    slot = Var(0)
    with auto_sync():
        dup(run, -1.0e30)
        dup(old, -1.0e30)
        dup(zero, 0.0)
        for t in range(T):
            ub[slot] <<= x[t * 64:t * 64 + 64, 0:64]
            cmax(now, ub[slot])
            add(old, run, zero)
            vmax(run, run, now)
            slot += 1
        sub(run, run, old)
        y[0:64] <<= run
    return y
