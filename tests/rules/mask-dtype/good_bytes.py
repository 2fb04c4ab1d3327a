"""Bytes, with a sign or without."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.int8, [64, 8], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        compare_scalar(mask, t, 0.0, CompareMode.GT)
        select(t, mask, t, 0.0, SelectMode.TENSOR_SCALAR)
        compare_scalar(mask.reinterpret(DT.uint8), t, 0.0, CompareMode.GT)
        select(t, mask.reinterpret(DT.uint8), t, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= t
    return y
