"""The second comparison replaces half of the bits; the others are those of another tile."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_left_over(x: GMTensor, z: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [4, 64], Position.UB)
    v = Tensor(DT.float, [2, 64], Position.UB)
    keep = Tensor(DT.uint8, [1, 32], Position.UB)
    with auto_sync():
        u <<= x[0:4, 0:64]
        v <<= z[0:2, 0:64]
        compare_scalar(keep, u, 0.5, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        compare_scalar(keep, v, 0.5, CompareMode.GT)
        select(u, keep, u, 1.0, SelectMode.TENSOR_SCALAR)  #~ WARNING compare-tail: 128 of them are left
        y[0:4, 0:64] <<= u
    return y
