"""Sixty-four bits fit."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_eight_bytes(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    columns = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(columns, 1.0)
        for r in range(64):
            compare_scalar(keep[r:r + 1, 0:8], columns, r, CompareMode.LE)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
    return y
