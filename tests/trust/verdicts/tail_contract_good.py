# Any size is promised, and the tail is cut: nothing is asked of the contract
from ascriptor.a2 import *


# a2lint: assume(M >= 1)
@kernel(mode="vec")
def scaled(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], M: i32):
    #~ VERDICT bounds: holds
    u = DBuff(f32, [16, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 16, M, GetVecNum() * 16):
            v = Min(16, M - r)
            u[n][0:v, :] <<= x[r:r + v, 0:64]
            y[r:r + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y
