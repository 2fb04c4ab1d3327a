# One row as an operand for all rows: the help says how every repeat reads it, and not how large the row would have to be
from ascriptor.a2 import *


# a2lint: launch(M=64, x=float[64, 128], w=float[128], y=float[64, 128])
@kernel(mode="vec")
def scaled(x: GM[f32, ("M", 128)], w: GM[f32, 128], y: GM[f32, ("M", 128)], M: i32):
    row = Tensor(f32, [1, 128], Position.UB)
    tile = DBuff(f32, [32, 128], Position.UB)
    out = DBuff(f32, [32, 128], Position.UB)
    count = Var(0)
    with auto_sync():
        row <<= w[0:128]
        for part in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            r0 = part * 32
            n = Min(32, M - r0)
            tile[count][0:n, 0:128] <<= x[r0:r0 + n, 0:128]
            mul(out[count], tile[count], row)  #~ ERROR operand-overrun: reads 3968 elements past the end of `row`
            y[r0:r0 + n, 0:128] <<= out[count][0:n, 0:128]
            count += 1
    return y
