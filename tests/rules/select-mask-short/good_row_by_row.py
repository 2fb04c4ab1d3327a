"""The row of bits is applied to one row at a time."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_row_by_row(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.half, [16, 128], Position.UB)
    mask = Tensor(DT.uint8, [1, 32], Position.UB)
    with auto_sync():
        ub <<= x[0:16, 0:128]
        compare_scalar(mask, ub[0:1, 0:128], 0.0, CompareMode.GT)
        for r in range(16):
            select(ub[r:r + 1, 0:128], mask, ub[r:r + 1, 0:128], 0.0, SelectMode.TENSOR_SCALAR)
        y[0:16, 0:128] <<= ub
    return y
