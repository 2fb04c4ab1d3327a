# Blocks of `M / lanes` rows lose what is left over.
from ascriptor.a2 import *


@kernel(mode="vec")
def blocks(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT ownership: open
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    per = M / GetVecNum()
    first = Var(per * GetVecIdx())
    last = Min(first + per, M)
    with auto_sync():
        for r in range(first, last):
            u[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= u[n]
            n += 1
    return y
