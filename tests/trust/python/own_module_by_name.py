# The own module, reached by its name, gets another width.
import sys
W = 64
setattr(sys.modules[__name__], 'W', 128)
from easyasc.a2 import *
# a2lint: launch(M=8, x=float[8, 128], y=float[8, 128])
@kernel()
def f(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [8, 64], Position.UB)
    u = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            m = Min(8, M - r * 8)
            t[i][0:m, 0:W] <<= x[r * 8:r * 8 + m, 0:W]  #~ ERROR repeat-range
            adds(u[i], t[i], 1.0)
            y[r * 8:r * 8 + m, 0:W] <<= u[i][0:m, 0:W]  #~ ERROR repeat-range
            i += 1
    return y
