# the last part of a split takes what is left: two rows of ten.
import torch
from easyasc.a2 import *


@kernel()
def rows(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            m = Min(8, M - r * 8)
            t[i][0:m, 0:64] <<= x[r * 8 : r * 8 + m, 0:64]  #~ ERROR gm-out-of-bounds: axis 0 has 2 elements
            y[r * 8 : r * 8 + m, 0:64] <<= t[i][0:m, 0:64]
            i += 1
    return y


parts = torch.randn(10, 64).split(4)
OpExec(rows, "")(parts[2], torch.zeros(4, 64), 4)
