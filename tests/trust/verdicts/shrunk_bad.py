# A launch that is too large runs at smaller sizes: an output that is a row short stays a row short
from easyasc.a2 import *


# a2lint: launch(M=400000000, x=float[400000000, 64], y=float[399999999, 64])
@kernel()
def short_by_one(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [8, 64], Position.UB)
    u = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            m = Min(8, M - r * 8)
            t[i][0:m, 0:64] <<= x[r * 8:r * 8 + m, 0:64]
            adds(u[i], t[i], 1.0)
            y[r * 8:r * 8 + m, 0:64] <<= u[i][0:m, 0:64]  #~ WARNING gm-out-of-bounds: `y` [1279, 64]
            i += 1
    return y
