#~ pedantic
"""A comparison writes the row."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        u <<= x
        dup(zero, 0.0)
        compare_scalar(keep[0:1, 0:8], u[0:1, 0:64], 0.0, CompareMode.GT)
        select(u[0:1, 0:64], keep[0:1, 0:8], u[0:1, 0:64], zero, SelectMode.TENSOR_SCALAR)
        y <<= u
    return y
