"""A mask of 64 ones is full for an instruction on floats."""
from easyasc.a2 import *


@kernel(mode="vec")
def select_prefix(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 8], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        set_mask(0, 0xFFFFFFFFFFFFFFFF)
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        reset_mask()
        y[0:8, 0:64] <<= u
    return y
