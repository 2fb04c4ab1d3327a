"""One row of bits does not repeat itself for the other rows."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_one_row(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.half, [16, 128], Position.UB)
    mask = Tensor(DT.uint8, [1, 32], Position.UB)
    with auto_sync():
        ub <<= x[0:16, 0:128]
        compare_scalar(mask, ub[0:1, 0:128], 0.0, CompareMode.GT)
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-short: holds 256 bits
        y[0:16, 0:128] <<= ub
    return y
