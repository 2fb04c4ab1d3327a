"""One row of one block."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_one_row(x: GMTensor, y: GMTensor):
    r = Tensor(DT.float, [1, 8], Position.UB)
    with auto_sync():
        r <<= x[0:1, 0:8]
        muls(r, r, 0.5)
        y[0:1, 0:8] <<= r
    return y
