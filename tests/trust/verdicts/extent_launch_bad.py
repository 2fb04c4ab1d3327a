# A launch in a comment gives the symbol that only one extent has: the output is shorter than what is stored
from ascriptor.a2 import *


# a2lint: launch(M=64, N=32)
@kernel(mode="vec", block_dim=2)
def k(x: GM[f32, ("M", 64)], y: GM[f32, ("N", 64)]):
    u = DBuff(f32, [16, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 16, M, GetVecNum() * 16):
            v = Min(16, M - r)
            u[n][0:v, :] <<= x[r:r + v, 0:64]
            y[r:r + v, 0:64] <<= u[n][0:v, :]  #~ ERROR gm-out-of-bounds: `y` [32, 64]
            n += 1
    return y
