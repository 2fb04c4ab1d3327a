#~ pedantic
"""Equality of integers."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        compare_scalar(mask, t, 32, CompareMode.EQ)
        select(t, mask, t, 0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= t
    return y
