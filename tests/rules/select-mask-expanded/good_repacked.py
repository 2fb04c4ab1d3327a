"""The bytes that were loaded first are replaced by bits before the select."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_repacked(x: GMTensor, flags: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    h = Tensor(DT.half, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        keep <<= flags[0:8, 0:64]
        cast(h, keep)
        dup(keep.reinterpret(DT.int), 0)
        compare_scalar(keep, h, 0.5, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:8, 0:64] <<= u
    return y
