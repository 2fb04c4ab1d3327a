"""Rows from the last to the first: each overwrites the one behind."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_descending(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 32], Position.UB)
    columns = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 4], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:32]
        dup(columns, 1.0)
        for r in range(62, -1, -1):
            compare_scalar(keep[r:r + 1, 0:4], columns, r, CompareMode.LE)  #~ ERROR mask-rows
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:32] <<= u
    return y
