"""The last tile is cut."""
from ascriptor.a2 import *

M = 100


@kernel(mode="vec", block_dim=2)
def copy(x: GM[f32, (M, 64)], y: GM[f32, (M, 64)]):
    tile = DBuff(f32, [32, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            row = step * 32
            rows = Min(32, M - row)
            tile[beat][0:rows, :] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[beat][0:rows, :]
            beat += 1
    return y
