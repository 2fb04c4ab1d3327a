"""A row that dup has filled and arithmetic keeps alike."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_filled_row(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    low = Tensor(DT.float, [1, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        dup(low, 1.0)
        muls(low, low, -1.0e30)
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, low, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= ub
    return y
