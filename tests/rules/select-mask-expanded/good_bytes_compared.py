"""A byte per element, converted and compared: the mask is packed."""
from easyasc.a2 import *


@kernel()
def byte_mask_cast(x: GMTensor, flags: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 128], Position.UB)
    raw = Tensor(DT.uint8, [8, 128], Position.UB)
    h = Tensor(DT.half, [8, 128], Position.UB)
    keep = Tensor(DT.uint8, [1, 128], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:128]
        raw <<= flags[0:8, 0:128]
        cast(h, raw)
        compare_scalar(keep, h, 0.5, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:8, 0:128] <<= u
    return y
