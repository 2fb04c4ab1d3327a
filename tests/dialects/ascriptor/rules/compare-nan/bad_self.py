"""A number beside itself."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        u <<= x
        dup(zero, 0.0)
        compare(keep, u, u, CompareMode.NE)  #~ WARNING compare-nan: with itself (NE)
        select(u, keep, u, zero, SelectMode.TENSOR_SCALAR)
        y <<= u
    return y
