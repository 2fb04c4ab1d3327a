"""The bits of all rows at once, and rows of whole blocks."""
from ascriptor.a2 import *


@kernel(mode="vec")
def rows(x: GM[f32, (8, 256)], y: GM[f32, (8, 256)]):
    ub = Tensor(f32, [8, 256], Position.UB)
    mask = Tensor(u8, [8, 32], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x
        dup(zero, 0.0)
        for r in range(8):
            compare_scalar(mask[r:r + 1, 0:32], ub[r:r + 1, 0:256], 0.0, CompareMode.GT)
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, zero, SelectMode.TENSOR_SCALAR)
        y[0:8, 0:256] <<= ub
    return y
