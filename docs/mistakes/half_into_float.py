from easyasc.a2 import *


# a2lint: launch(x=half[640, 64], y=float[640, 64])
@kernel(mode="vec")
def widen(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            y[row:row + 64, 0:64] <<= a
    return y
