"""The mask is reset before the select."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_reset_before(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        set_mask(0, 0xFF)
        adds(u, u, 1.0)
        reset_mask()
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
    return y
