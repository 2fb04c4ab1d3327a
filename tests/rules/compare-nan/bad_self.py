"""Nothing is found: every comparison with NaN is false."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_self(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare(keep, u, u, CompareMode.NE)  #~ WARNING compare-nan: with itself (NE)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
    return y
