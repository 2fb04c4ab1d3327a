# Tiles that are counted by rounding down: what is left of a size is not stored, so it has to be none.
from easyasc.a2 import *


@kernel()
def floors(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT floors.ownership: proved-if M % 32 == 0
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 32, GetVecNum()):
            ub[c][0:32, 0:64] <<= x[t * 32:t * 32 + 32, 0:64]
            y[t * 32:t * 32 + 32, 0:64] <<= ub[c][0:32, 0:64]
            c += 1
    return y

@kernel()
def larger_tiles(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT larger_tiles.ownership: proved-if M % 64 == 0
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 64, GetVecNum()):
            ub[c][0:64, 0:64] <<= x[t * 64:t * 64 + 64, 0:64]
            y[t * 64:t * 64 + 64, 0:64] <<= ub[c][0:64, 0:64]
            c += 1
    return y

@kernel()
def two_sizes(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT two_sizes.ownership: proved-if M % 32 == 0
    #~ VERDICT two_sizes.ownership: proved-if N % 64 == 0
    ub = DBuff(DT.float, [32, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(M // 32):
            for s in range(GetVecIdx(), N // 64, GetVecNum()):
                ub[c] <<= x[t * 32:t * 32 + 32, s * 64:s * 64 + 64]
                y[t * 32:t * 32 + 32, s * 64:s * 64 + 64] <<= ub[c]
                c += 1
    return y


@kernel()
def one_size_is_clipped(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT one_size_is_clipped.ownership: proved-if M % 32 == 0, N >= 1
    ub = DBuff(DT.float, [32, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(M // 32):
            for s in range(GetVecIdx(), CeilDiv(N, 64), GetVecNum()):
                v = Min(64, N - s * 64)
                ub[c][0:32, 0:v] <<= x[t * 32:t * 32 + 32, s * 64:s * 64 + v]
                y[t * 32:t * 32 + 32, s * 64:s * 64 + v] <<= ub[c][0:32, 0:v]
                c += 1
    return y
