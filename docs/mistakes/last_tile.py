from easyasc.a2 import *


# a2lint: launch(M=100, x=float[100, 64], y=float[100, 64])
@kernel(mode="vec")
def square(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + 64, 0:64] <<= b
    return y
