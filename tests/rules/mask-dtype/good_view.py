"""A byte view of words."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint32, [1, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        bits = mask.reinterpret(DT.uint8)
        compare_scalar(bits, t, 0.0, CompareMode.GT)
        select(t, bits, t, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= t
    return y
