# `M / 32` tiles leave the last, partial one out: all is stored where there is none.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def copy(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT ownership: proved-if M % 32 == 0
    u = DBuff(f32, [32, 64], Position.UB)
    n = Var(0)
    tiles = M / 32
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            v = Min(32, M - t * 32)
            u[n][0:v, :] <<= x[t * 32:t * 32 + v, 0:64]
            y[t * 32:t * 32 + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y
