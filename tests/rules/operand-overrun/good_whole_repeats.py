"""Scratch of whole repeats, and compare bits that are few bytes."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_whole_repeats(x: GMTensor, y: GMTensor):
    row = Tensor(DT.half, [1, 128], Position.UB)
    val = Tensor(DT.float, [1, 64], Position.UB)
    flag = Tensor(DT.uint8, [1, 8], Position.UB)
    with auto_sync():
        dup(row, 1.0)
        val <<= x[0:64]
        compare_scalar(flag, val, 0.0, CompareMode.GT)
        select(val, flag, val, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64] <<= val
        y[64:192] <<= row
    return y
