"""The bound as a float."""
from ascriptor.a2 import *


@kernel(mode="vec")
def limit(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)], bound: i32):
    ub = Tensor(f32, [64, 64], Position.UB)
    mask = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x
        dup(zero, 0.0)
        compare_scalar(mask, ub, bound * 1.0, CompareMode.LT)
        select(ub, mask, ub, zero, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= ub
    return y
