from easyasc.a2 import *


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def square(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    for tile in range(GetVecIdx(), 10, GetVecNum()):
        row = Var(tile * 64)
        a <<= x[row:row + 64, 0:64]
        mul(b, a, a)
        y[row:row + 64, 0:64] <<= b
    return y
