"""`=` binds the name anew; the ring counter never advances."""
from ascriptor.a2 import *


@kernel(mode="vec")
def rings(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    ub = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = tile * 64
            ub[count] <<= x[row:row + 64, 0:64]
            exp(out[count], ub[count])
            y[row:row + 64, 0:64] <<= out[count]
            count = count + 1  #~ ERROR lost-update
    return y
