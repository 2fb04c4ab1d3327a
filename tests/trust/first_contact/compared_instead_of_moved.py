# `<=` for `<<=` is one key: the line that moves nothing is named, not only the store that misses its data.
from easyasc.a2 import *


# a2lint: launch(x=half[64, 64], y=half[64, 64])
@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor):
    a = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        a <= x[0:64, 0:64]  #~ WARNING no-effect: compares and moves nothing
        y[0:64, 0:64] <<= a  #~ ERROR uninitialized-read
    return y


# a2lint: launch(x=half[64, 64], y=half[64, 64])
@kernel(mode="vec")
def copied_right(x: GMTensor, y: GMTensor):
    a = Tensor(DT.half, [64, 64], Position.UB)
    rows = 64 if 2 <= 3 else 32
    with auto_sync():
        a <<= x[0:rows, 0:64]
        y[0:rows, 0:64] <<= a
    return y
