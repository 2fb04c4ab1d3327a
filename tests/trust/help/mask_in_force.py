# Undefined lanes come from a mask that is still set: the message names it, not the tensor that nothing filled.
from easyasc.a2 import *


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def shifted_exp(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            set_mask(0, 0xFF)  #~ WARNING mask-leak: still in force at the end
            adds(a, a, 1.0)
            exp(b, a)
            y[row:row + 64, 0:64] <<= b  #~ ERROR uninitialized-read: exp() writes only the lanes of the mask of set_mask() in line 14
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def nothing_written(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a[0:32, :] <<= x[row:row + 32, 0:64]
            exp(b, a)
            y[row:row + 64, 0:64] <<= b  #~ ERROR uninitialized-read: stores undefined elements of `b`
    return y
