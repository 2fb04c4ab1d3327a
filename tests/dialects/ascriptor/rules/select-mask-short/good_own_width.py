"""The bits of as many elements as are chosen."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 32)]):
    half = Tensor(f32, [64, 32], Position.UB)
    keep = Tensor(u8, [64, 4], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        half <<= x[0:64, 0:32]
        dup(zero, 0.0)
        compare_scalar(keep, half, 0.0, CompareMode.GT)
        select(half, keep, half, zero, SelectMode.TENSOR_SCALAR)
        y <<= half
    return y
