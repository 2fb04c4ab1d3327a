"""The comparison writes packed bits."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_packed(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= ub
    return y
