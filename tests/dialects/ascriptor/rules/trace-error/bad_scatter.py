"""A2 has no instruction for scatter()."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def spread(x: GM[f32, (1, 64)], i: GM[u32, (1, 64)], y: GM[f32, (1, 64)]):
    row = Tensor(f32, [1, 64], Position.UB)
    offset = Tensor(u32, [1, 64], Position.UB)
    out = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        row <<= x
        offset <<= i
        dup(out, 0.0)
        scatter(out, row, offset)  #~ ERROR trace-error: scatter
        y <<= out
    return y
