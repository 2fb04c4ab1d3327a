# `a < b < c` ends with the first comparison that is false, in a helper of a kernel as well.
from easyasc.a2 import *


def asked(*limits):
    made = []

    def seen(limit):
        made.append(limit)
        return limit

    seen(limits[0]) < seen(limits[1]) < seen(limits[2])
    return 64 if len(made) == 3 else 32


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def stops(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = asked(64, 32, 128)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]  #~ ERROR output-hole: the first at [32, 0]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def goes_on(x: GMTensor, y: GMTensor):  #~ VERDICT goes_on.bounds: holds
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = asked(16, 32, 128)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y
