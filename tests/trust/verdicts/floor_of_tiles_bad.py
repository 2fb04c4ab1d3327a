# Near misses of whole tiles: one tile too few, tiles that are smaller than their step, a half of the rows.
from easyasc.a2 import *


@kernel()
def one_too_few(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT one_too_few.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 32 - 1, GetVecNum()):
            ub[c][0:32, 0:64] <<= x[t * 32:t * 32 + 32, 0:64]
            y[t * 32:t * 32 + 32, 0:64] <<= ub[c][0:32, 0:64]
            c += 1
    return y

@kernel()
def gaps(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT gaps.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 32, GetVecNum()):
            ub[c][0:16, 0:64] <<= x[t * 32:t * 32 + 16, 0:64]
            y[t * 32:t * 32 + 16, 0:64] <<= ub[c][0:16, 0:64]
            c += 1
    return y

@kernel()
def other_step(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT other_step.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 64, GetVecNum()):
            ub[c][0:32, 0:64] <<= x[t * 32:t * 32 + 32, 0:64]
            y[t * 32:t * 32 + 32, 0:64] <<= ub[c][0:32, 0:64]
            c += 1
    return y

@kernel()
def twice_floored(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT twice_floored.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 32 // 2, GetVecNum()):
            ub[c][0:32, 0:64] <<= x[t * 32:t * 32 + 32, 0:64]
            y[t * 32:t * 32 + 32, 0:64] <<= ub[c][0:32, 0:64]
            c += 1
    return y
