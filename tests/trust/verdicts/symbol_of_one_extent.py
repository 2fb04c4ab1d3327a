# A symbol that one extent has alone is no parameter: nothing is asked of it, and the tensor has to be long enough
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def k(x: GM[f32, ("M", 64)], y: GM[f32, ("N", 64)]):
    #~ VERDICT bounds: proved-if y is at least [M, ?]
    u = DBuff(f32, [16, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 16, M, GetVecNum() * 16):
            v = Min(16, M - r)
            u[n][0:v, :] <<= x[r:r + v, 0:64]
            y[r:r + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y
