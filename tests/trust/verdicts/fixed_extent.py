# The signature gives the numbers of rows: the number that a launch passes may not be larger, for any of the tensors
from ascriptor.a2 import *


@kernel(mode="vec")
def scale_rows(x: GM[f32, (20, 64)], y: GM[f32, (16, 64)], rows: i32):
    #~ VERDICT bounds: proved-if rows <= 16
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), rows, GetVecNum()):
            a[n] <<= x[r:r + 1, :]
            muls(b[n], a[n], 2.0)
            y[r:r + 1, :] <<= b[n]
            n += 1
    return y
