"""Bytes stay bytes when they are copied."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_copied(x: GMTensor, flags: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    raw = Tensor(DT.uint8, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        raw <<= flags[0:8, 0:64]
        ub_to_ub(keep, raw)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded
        y[0:8, 0:64] <<= u
    return y
