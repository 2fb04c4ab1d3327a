"""Four bytes per row for 64 columns."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 4], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    half = Tensor(f32, [64, 32], Position.UB)
    with auto_sync():
        u <<= x
        half <<= x[0:64, 0:32]
        dup(zero, 0.0)
        compare_scalar(keep, half, 0.0, CompareMode.GT)
        select(u, keep, u, zero, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-short: holds 2048 bits
        y <<= u
    return y
