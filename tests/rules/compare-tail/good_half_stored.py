"""The lanes without bits go nowhere."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_half_stored(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    w = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u[0:32, 0:64], 0.0, CompareMode.GT)
        select(w, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:32, 0:64] <<= w[0:32, 0:64]
    return y
