# A source of other extents than the destination is a wrong slice: reading it from a copy would hide that
from ascriptor.a2 import *


# a2lint: launch(M=64, x=float[64, 128], y=float[64, 128])
@kernel(mode="vec")
def doubled(x: GM[f32, ("M", 128)], y: GM[f32, ("M", 128)], M: i32):
    tile = Tensor(f32, [32, 128], Position.UB)
    with auto_sync():
        for part in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            r0 = part * 32
            n = Min(32, M - r0)
            tile[0:n, 0:128] <<= x[r0:r0 + n, 0:128]
            add(tile[:, 0:64], tile[:, 0:64], tile[:, 0:32])  #~ ERROR partial-overlap: in other lanes  #~ ERROR slice-stride: 2048 consecutive
            add(tile[:, 64:128], tile[:, 64:128], tile[:, 64:128])
            y[r0:r0 + n, 0:128] <<= tile[0:n, 0:128]
    return y
