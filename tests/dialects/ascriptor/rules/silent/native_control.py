"""if, and, or, not, chained comparisons, a ternary, break and continue are device code."""
from ascriptor.a2 import *


@kernel(mode="vec")
def control(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], limit: i32, gain: f32):
    ub = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
        row = tile * 64
        rows = Min(64, M - row)
        if row >= limit and not limit < 0:
            break
        if row == 64 or row == 128:
            continue
        factor = gain if 0 <= row < 256 else 1.0
        with auto_sync():
            ub[beat][0:rows, :] <<= x[row:row + rows, 0:64]
            muls(out[beat], ub[beat], factor)
            y[row:row + rows, 0:64] <<= out[beat][0:rows, :]
        beat += 1
    return y
