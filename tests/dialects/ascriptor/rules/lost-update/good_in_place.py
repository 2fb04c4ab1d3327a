"""Every augmented operator updates the cell."""
from ascriptor.a2 import *


@kernel(mode="vec")
def in_place(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    ub = TBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    count = Var(0)
    left = Var(M)
    scale = Var(1.0)
    lane = Var(7)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = tile * 64
            ub[count] <<= x[row:row + 64, 0:64]
            muls(out[count], ub[count], scale)
            y[row:row + 64, 0:64] <<= out[count]
            count += 1
            left -= 64
            scale *= 0.5
            lane //= 2
            lane %= 3
    return y
