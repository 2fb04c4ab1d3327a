# A branch that leaves tiles out is a precondition; a branch that skips nothing but empty ones does not.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def some(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], all_of_it: i32):  #~ VERDICT some.ownership: proved-if all_of_it >= 1
    u = DBuff(f32, [32, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            v = Min(32, M - t * 32)
            u[n][0:v, :] <<= x[t * 32:t * 32 + v, 0:64]
            if all_of_it > 0:
                y[t * 32:t * 32 + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y


@kernel(mode="vec", block_dim=2)
def filled(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT filled.ownership: holds
    u = DBuff(f32, [32, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            v = Min(32, M - t * 32)
            if v > 0:
                u[n][0:v, :] <<= x[t * 32:t * 32 + v, 0:64]
                y[t * 32:t * 32 + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y
