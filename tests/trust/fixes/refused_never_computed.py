# A tensor that nothing computes is stored: zeros would hide that a computation is missing
from easyasc.a2 import *


# a2lint: launch(x=float[640, 256], y=float[640, 64])
@kernel(mode="vec")
def parts(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)  #~ WARNING unused-buffer: is written and never read
    acc = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            exp(a, a)
            y[row:row + 64, 0:64] <<= acc  #~ ERROR uninitialized-read: nothing has written it
    return y
