"""Rows from the first to the last, and one spare row behind them: every spill is replaced."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_spare_row(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 32], Position.UB)
    ids = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [9, 4], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:32]
        dup(ids, 1.0)
        for r in range(8):
            compare_scalar(keep[r:r + 1, 0:4], ids, r, CompareMode.LE)
        select(u, keep[0:8, 0:4], u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:8, 0:32] <<= u
    return y
