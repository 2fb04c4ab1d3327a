# A maximum starts with a number below all others, not with zero
from easyasc.a2 import *


# a2lint: launch(x=float[640, 256], y=float[640, 64])
@kernel(mode="vec")
def parts(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            for column in range(0, 256, 64):
                a <<= x[row:row + 64, column:column + 64]
                vmax(acc, acc, a)  #~ ERROR uninitialized-read: nothing has written it
            y[row:row + 64, 0:64] <<= acc
    return y
