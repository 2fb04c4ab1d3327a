# Half of the rows are loaded and all are stored: zeros would hide that a load is too short
from easyasc.a2 import *


# a2lint: launch(x=float[640, 256], y=float[640, 64])
@kernel(mode="vec")
def parts(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a[0:32, :] <<= x[row:row + 32, 0:64]
            exp(acc, a)
            y[row:row + 64, 0:64] <<= acc  #~ ERROR uninitialized-read: stores undefined elements of `acc`
    return y
