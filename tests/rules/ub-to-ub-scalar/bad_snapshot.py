"""The running maximum is saved with a block copy."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_snapshot(x: GMTensor, y: GMTensor, T: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    run = Tensor(DT.float, [64, 1], Position.UB)
    now = Tensor(DT.float, [64, 1], Position.UB)
    old = Tensor(DT.float, [64, 1], Position.UB)
    grow = Tensor(DT.float, [64, 1], Position.UB)
    slot = Var(0)
    with auto_sync():
        dup(run, -1.0e30)
        for t in range(T):
            ub[slot] <<= x[t * 64:t * 64 + 64, 0:64]
            cmax(now, ub[slot])
            ub_to_ub(old, run)  #~ ERROR ub-to-ub-scalar: ub_to_ub() writes 2048 bytes for `old` [64,1], one 32-byte block per row, where its rows hold 256 bytes, and overwrites `grow`
            vmax(run, run, now)
            slot += 1
        sub(grow, run, old)
        y[0:64] <<= grow
    return y
