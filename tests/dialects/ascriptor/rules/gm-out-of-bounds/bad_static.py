"""Extents of the signature are a launch of their own."""
from ascriptor.a2 import *

M = 100


@kernel(mode="vec", block_dim=2)
def copy(x: GM[f32, (M, 64)], y: GM[f32, (M, 64)]):
    tile = DBuff(f32, [32, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            row = step * 32
            tile[beat] <<= x[row:row + 32, 0:64]  #~ ERROR gm-out-of-bounds: x
            y[row:row + 32, 0:64] <<= tile[beat]  #~ ERROR gm-out-of-bounds: y
            beat += 1
    return y
