# Python's min() compares Vars while the kernel is traced: not a number that "could not be evaluated", but a mistake.
from easyasc.a2 import *


# a2lint: launch(M=100, x=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            valid = min(64, M - row)  #~ ERROR truthy-var: compares Vars
            a[0:valid, 0:64] <<= x[row:row + valid, 0:64]
            y[row:row + valid, 0:64] <<= a[0:valid, 0:64]
    return y


# a2lint: launch(M=100, x=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def copied_right(x: GMTensor, y: GMTensor, M: Var):
    rows = min(64, max(32, 16))
    a = Tensor(DT.half, [rows, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            valid = Min(64, M - row)
            a[0:valid, 0:64] <<= x[row:row + valid, 0:64]
            y[row:row + valid, 0:64] <<= a[0:valid, 0:64]
    return y
#~ PARTLY: could not be evaluated
