# A loop that is left early leaves rows out.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def copy(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], stop: i32):  #~ VERDICT ownership: open
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            if r == stop:
                break
            u[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= u[n]
            n += 1
    return y
