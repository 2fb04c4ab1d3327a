"""The maxima of a tile's rows are subtracted from its columns, which are as many."""
from easyasc.a2 import *


@kernel(mode="vec")
def along_columns(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    top = DBuff(DT.float, [1, 64], Position.UB)
    cnt = Var(0)
    with auto_sync():
        for i in range(GetVecIdx(), M // 64, GetVecNum()):
            ub[cnt] <<= x[i * 64:i * 64 + 64, 0:64]
            cmax(top[cnt], ub[cnt])
            sub(out[cnt], ub[cnt], top[cnt])  #~ ERROR scalars-unbroadcast
            y[i * 64:i * 64 + 64, 0:64] <<= out[cnt]
            cnt += 1
    return y


@kernel(mode="vec")
def of_another_tile(x: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    other = DBuff(DT.float, [64, 64], Position.UB)
    top = DBuff(DT.float, [1, 64], Position.UB)
    cnt = Var(0)
    with auto_sync():
        for i in range(GetVecIdx(), M // 64, GetVecNum()):
            ub[cnt] <<= x[i * 64:i * 64 + 64, 0:64]
            other[cnt] <<= w[i * 64:i * 64 + 64, 0:64]
            cmax(top[cnt], other[cnt])
            for row in range(64):
                sub(out[cnt][row:row + 1, 0:64], ub[cnt][row:row + 1, 0:64], top[cnt])
            y[i * 64:i * 64 + 64, 0:64] <<= out[cnt]
            cnt += 1
    return y
