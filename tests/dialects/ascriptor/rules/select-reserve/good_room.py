#~ pedantic
"""There is room for what a selection may want."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (564, 64)], y: GM[f32, (564, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    rest = Tensor(f32, [500, 64], Position.UB)
    with auto_sync():
        rest <<= x[64:564, 0:64]
        u <<= x[0:64, 0:64]
        dup(zero, 0.0)
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, zero, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
        y[64:564, 0:64] <<= rest
    return y
