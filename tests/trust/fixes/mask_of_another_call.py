# Lanes that a forgotten mask leaves out are computed by resetting the mask, not filled with zeros.
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
            set_mask(0, 0xFF)  #~ WARNING mask-leak
            adds(a, a, 1.0)
            exp(b, a)
            y[row:row + 64, 0:64] <<= b  #~ ERROR uninitialized-read
    return y
