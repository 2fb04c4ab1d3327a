"""A finite bound."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        u <<= x
        dup(zero, 0.0)
        compare_scalar(keep, u, 3.0e38, CompareMode.LT)
        select(u, keep, u, zero, SelectMode.TENSOR_SCALAR)
        y <<= u
    return y
