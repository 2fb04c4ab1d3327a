"""Rows from the last to the first: each overwrites the one after it."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 32)], y: GM[f32, (64, 32)]):
    t = Tensor(f32, [64, 32], Position.UB)
    keep = Tensor(u8, [64, 4], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        t <<= x
        dup(zero, 0.0)
        for r in range(62, -1, -1):
            compare_scalar(keep[r:r + 1, 0:4], zero, r * 1.0, CompareMode.LE)  #~ ERROR mask-rows: writes 8 bytes
        select(t, keep, t, zero, SelectMode.TENSOR_SCALAR)
        y <<= t
    return y
