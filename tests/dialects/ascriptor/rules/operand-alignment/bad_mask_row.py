"""A row of packed bits starts off a block: 16 bytes after the one before."""
from ascriptor.a2 import *


@kernel(mode="vec")
def rows(x: GM[f32, (8, 128)], y: GM[f32, (8, 128)]):
    ub = Tensor(f32, [8, 128], Position.UB)
    mask = Tensor(u8, [8, 16], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x
        dup(zero, 0.0)
        for r in range(8):
            compare_scalar(mask[r:r + 1, 0:16], ub[r:r + 1, 0:128], 0.0, CompareMode.GT)  #~ ERROR operand-alignment: mask
        select(ub, mask, ub, zero, SelectMode.TENSOR_SCALAR)
        y[0:8, 0:128] <<= ub
    return y
