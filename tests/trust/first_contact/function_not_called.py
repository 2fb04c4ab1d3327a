# A function where a number is meant: Python raises, which is more than a "number that could not be evaluated"
from easyasc.a2 import *


# a2lint: launch(M=128, x=half[128, 64], y=half[128, 64])
@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum):  #~ ERROR trace-error: 'function' object cannot be interpreted
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            y[row:row + 64, 0:64] <<= a
    return y


# a2lint: launch(M=128, x=half[128, 64], y=half[128, 64])
@kernel(mode="vec")
def copied_right(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            n = Min(64, M - row)
            a[0:n, 0:64] <<= x[row:row + n, 0:64]
            y[row:row + n, 0:64] <<= a[0:n, 0:64]
    return y
