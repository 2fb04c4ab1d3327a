# a view of half as 32-bit elements has half the columns: it is not clean to read all of them.
import torch
from easyasc.a2 import *


@kernel()
def rows(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.int, [8, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            m = Min(8, M - r * 8)
            t[i][0:m, 0:64] <<= x[r * 8 : r * 8 + m, 0:64]  #~ ERROR gm-out-of-bounds: axis 1 has 32 elements
            y[r * 8 : r * 8 + m, 0:64] <<= t[i][0:m, 0:64]
            i += 1
    return y


x = torch.randn(6, 64).half().view(torch.int32)
OpExec(rows, "")(x, torch.zeros(6, 64, dtype=torch.int32), 6)
