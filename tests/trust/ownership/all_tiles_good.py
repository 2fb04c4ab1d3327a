# Good: the same with all tiles. Rows are dealt in turn, one by one or as tiles, and every one of them is stored.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def copy(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT ownership: holds
    u = DBuff(f32, [32, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            v = Min(32, M - t * 32)
            u[n][0:v, :] <<= x[t * 32:t * 32 + v, 0:64]
            y[t * 32:t * 32 + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y


@kernel(mode="vec", block_dim=2)
def rows(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT ownership: holds
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= u[n]
            n += 1
    return y
