"""The mask is written as a whole."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_whole(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 32], Position.UB)
    keep = Tensor(DT.uint8, [64, 4], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:32]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:32] <<= u
    return y
