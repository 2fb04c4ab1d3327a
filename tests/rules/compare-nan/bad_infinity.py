"""NaN passes for finite."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_infinity(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, float("inf"), CompareMode.NE)  #~ WARNING compare-nan: with inf (NE) gives the same answer for NaN
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
    return y
