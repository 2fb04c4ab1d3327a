"""A column of single elements, each in a block of its own, read one by one."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scaled(x: GM[f32, ("M", 64)], w: GM[f32, ("M", "H")], y: GM[f32, ("M", 64)], head: i32):
    tile = Tensor(f32, [16, 64], Position.UB)
    column = Tensor(f32, [16, 8], Position.UB)
    factor = Var(0.0, f32)
    with auto_sync():
        for at in range(GetVecIdx(), M // 16, GetVecNum()):
            tile <<= x[at * 16:at * 16 + 16, 0:64]
            column[0:16, 0:1] <<= w[at * 16:at * 16 + 16, head:head + 1]
            for row in range(16):
                factor.GetValueFrom(column[row:row + 1, 0:1])
                muls(tile[row:row + 1, 0:64], tile[row:row + 1, 0:64], factor)
            y[at * 16:at * 16 + 16, 0:64] <<= tile
    return y
