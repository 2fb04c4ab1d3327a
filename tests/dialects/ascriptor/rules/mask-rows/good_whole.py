"""All rows at once."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 32)], y: GM[f32, (64, 32)]):
    t = Tensor(f32, [64, 32], Position.UB)
    keep = Tensor(u8, [64, 4], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        t <<= x
        dup(zero, 0.0)
        compare_scalar(keep, t, 0.0, CompareMode.LE)
        select(t, keep, t, zero, SelectMode.TENSOR_SCALAR)
        y <<= t
    return y
