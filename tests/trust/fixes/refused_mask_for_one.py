# Without the mask nothing would be left that it is for, and with it most lanes are undefined
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
            set_mask(0, 0xFF)  #~ WARNING mask-leak: still in force at the end
            exp(acc, a)
            y[row:row + 64, 0:64] <<= acc  #~ ERROR uninitialized-read: exp() writes only the lanes of the mask
    return y
