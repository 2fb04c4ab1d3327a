# numpy's `repeat` along an axis multiplies that extent, and its arrays of 64-bit floats are cast.
import torch
from easyasc.a2 import *


@kernel()
def rows(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            m = Min(8, M - r * 8)
            t[i][0:m, 0:64] <<= x[r * 8 : r * 8 + m, 0:64]  #~ ERROR gm-out-of-bounds: axis 1 has 48 elements
            y[r * 8 : r * 8 + m, 0:64] <<= t[i][0:m, 0:64]
            i += 1
    return y


import numpy as np

x = torch.from_numpy(np.zeros((3, 16)).astype(np.float32).repeat(2, axis=0).repeat(3, 1))
OpExec(rows, "")(x, torch.zeros(6, 64), 6)
