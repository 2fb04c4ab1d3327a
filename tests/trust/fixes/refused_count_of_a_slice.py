# `count=64`, the elements of the row that is read too far, would scale one row of 32; so would its copy
from ascriptor.a2 import *


# a2lint: launch(M=64, x=float[64, 128], w=float[128], y=float[64, 128])
@kernel(mode="vec")
def scaled(x: GM[f32, ("M", 128)], w: GM[f32, 128], y: GM[f32, ("M", 128)], M: i32):
    row = Tensor(f32, [1, 128], Position.UB)
    tile = Tensor(f32, [32, 128], Position.UB)
    with auto_sync():
        row <<= w[0:128]
        for part in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            r0 = part * 32
            n = Min(32, M - r0)
            tile[0:n, 0:128] <<= x[r0:r0 + n, 0:128]
            mul(tile[:, 0:64], tile[:, 0:64], row[:, 0:64], src2_rep_stride=128)  #~ ERROR operand-overrun: `row
            mul(tile[:, 64:128], tile[:, 64:128], row[:, 64:128], src2_rep_stride=0)
            y[r0:r0 + n, 0:128] <<= tile[0:n, 0:128]
    return y
