"""A slice of the mask is replaced on purpose, and a select takes no more than was compared."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_rows_replaced(x: GMTensor, z: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [4, 64], Position.UB)
    v = Tensor(DT.float, [2, 64], Position.UB)
    keep = Tensor(DT.uint8, [4, 8], Position.UB)
    few = Tensor(DT.uint8, [1, 32], Position.UB)
    with auto_sync():
        u <<= x[0:4, 0:64]
        v <<= z[0:2, 0:64]
        compare_scalar(keep, u, 0.5, CompareMode.GT)
        compare_scalar(keep[0:2, 0:8], v, 0.5, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        compare_scalar(few, u, 0.5, CompareMode.GT)
        compare_scalar(few, v, 0.5, CompareMode.GT)
        select(v, few, v, 0.0, SelectMode.TENSOR_SCALAR)
        add(u[0:2, 0:64], u[0:2, 0:64], v)
        y[0:4, 0:64] <<= u
    return y
