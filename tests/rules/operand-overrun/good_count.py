"""The same tensors with counts."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_count(x: GMTensor, y: GMTensor):
    scale = Tensor(DT.half, [64, 1], Position.UB)
    row = Tensor(DT.float, [1, 100], Position.UB)
    with auto_sync():
        scale <<= x[0:64]
        muls(scale, scale, 0.5, count=64)
        dup(row, 1.0, count=100)
        y[0:64] <<= scale
        y[64:164] <<= row
    return y
