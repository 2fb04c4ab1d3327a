#~ pedantic
"""Half a kilobyte is left."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (763, 64)], y: GM[f32, (763, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    rest = Tensor(f32, [699, 64], Position.UB)
    with auto_sync():
        rest <<= x[64:763, 0:64]
        u <<= x[0:64, 0:64]
        dup(zero, 0.0)
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, zero, SelectMode.TENSOR_SCALAR)  #~ WARNING select-reserve: may want 8192 bytes
        y[0:64, 0:64] <<= u
        y[64:763, 0:64] <<= rest
    return y
