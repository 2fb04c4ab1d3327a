# A sum that is stored at each step may run on or not: no start is offered
from easyasc.a2 import *


# a2lint: launch(x=float[640, 256], y=float[640, 64])
@kernel(mode="vec")
def parts(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            add(acc, acc, a)  #~ ERROR uninitialized-read: nothing has written it
            y[row:row + 64, 0:64] <<= acc
    return y
