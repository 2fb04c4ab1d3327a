# No number of rows keeps the access inside: the first row is already the one behind the last
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def behind(x: GM[f32, (16, 64)], y: GM[f32, (16, 64)], rows: i32):
    #~ VERDICT bounds: open
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), rows, GetVecNum()):
            a[n] <<= x[r + 16:r + 17, :]
            muls(b[n], a[n], 2.0)
            y[r:r + 1, :] <<= b[n]
            n += 1
    return y
