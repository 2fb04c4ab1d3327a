"""The low word alone is all that float lanes have."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_all_float_lanes(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, 0xFFFFFFFFFFFFFFFF)
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        reset_mask()
        y[0:64, 0:64] <<= u
    return y
