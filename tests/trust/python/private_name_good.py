# Two classes of one hierarchy have private names of their own.
class Base:
    def __init__(self):
        self.__width = 64
    def width(self):
        return self.__width
class Wide(Base):
    def __init__(self):
        super().__init__()
        self.__width = 128
W = Wide().width()
from easyasc.a2 import *
# a2lint: launch(M=8, x=float[8, 64], y=float[8, 64])
@kernel()
def f(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [8, 64], Position.UB)
    u = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            m = Min(8, M - r * 8)
            t[i][0:m, 0:W] <<= x[r * 8:r * 8 + m, 0:W]
            adds(u[i], t[i], 1.0)
            y[r * 8:r * 8 + m, 0:W] <<= u[i][0:m, 0:W]
            i += 1
    return y
