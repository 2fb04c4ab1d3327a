"""The tensor was loaded before, for something else; a fill has replaced that."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_filled_over(x: GMTensor, z: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    other = Tensor(DT.float, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 8], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        other <<= z[0:8, 0:64]
        add(u, u, other)
        dup(other, 0.0)
        compare_scalar(keep, u, 0.5, CompareMode.GT)
        select(u, keep, u, other, SelectMode.TENSOR_SCALAR)
        y[0:8, 0:64] <<= u
    return y
