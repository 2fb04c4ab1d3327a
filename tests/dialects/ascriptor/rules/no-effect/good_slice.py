"""A slice keeps its start, and the scalar unit its offset."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def upper(x: GM[f32, (1, 128)], y: GM[f32, (1, 64)]):
    row = Tensor(f32, [1, 128], Position.UB)
    out = Tensor(f32, [1, 64], Position.UB)
    factor = Var(0.0)
    with auto_sync():
        row <<= x
        factor.GetValueFrom(row[64])
        muls(out, row[:, 64:128], factor, count=64)
        y <<= out
    return y
