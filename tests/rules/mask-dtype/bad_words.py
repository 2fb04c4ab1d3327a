"""Bits in 32-bit words."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.half, [64, 64], Position.UB)
    mask = Tensor(DT.uint32, [1, 128], Position.UB)
    words = Tensor(DT.uint8, [1, 512], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        compare_scalar(words, t, 0.0, CompareMode.GT)
        mask <<= x[64:65, 0:128]
        select(t, mask, t, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR mask-dtype: `mask` is uint32
        y[0:64, 0:64] <<= t
    return y
