"""Under a partial mask the lanes behind the tensor stay untouched."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_masked(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 32], Position.UB)
    with auto_sync():
        set_mask(0, 0xFFFFFFFF)
        dup(row, 1.0)
        reset_mask()
        y[0:32] <<= row
    return y
