#~ pedantic
"""Packed bits: rows of 16 bytes that follow each other bit by bit."""
from easyasc.a2 import *


@kernel(mode="vec")
def positive(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 128], Position.UB)
    mask = Tensor(DT.uint8, [64, 16], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:128]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:128] <<= ub
    return y
