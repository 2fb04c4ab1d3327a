"""The float sentinel is clamped before the conversion to half."""
from easyasc.a2 import *


@kernel(mode="vec")
def half_sentinel(x: GMTensor, y: GMTensor):
    u = Tensor(DT.half, [8, 128], Position.UB)
    f = Tensor(DT.float, [8, 128], Position.UB)
    keep = Tensor(DT.uint8, [8, 16], Position.UB)
    low = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        f <<= x[0:8, 0:128]
        dup(low, -1.0e30)
        compare_scalar(keep, f, 0.5, CompareMode.GT)
        select(f, keep, f, low, SelectMode.TENSOR_SCALAR)
        vmaxs(f, f, -60000.0)
        cast(u, f)
        y[0:8, 0:128] <<= u
    return y
