"""Upwards, but the row behind the last was finished before."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_spill_over_others(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [10, 32], Position.UB)
    ids = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [10, 4], Position.UB)
    with auto_sync():
        u <<= x[0:10, 0:32]
        dup(ids, 1.0)
        compare_scalar(keep[8:9, 0:4], ids, 0.5, CompareMode.LE)  #~ WARNING mask-rows
        for r in range(8):
            compare_scalar(keep[r:r + 1, 0:4], ids, r, CompareMode.LE)  #~ WARNING mask-rows
        select(u, keep[0:10, 0:4], u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:10, 0:32] <<= u
    return y
