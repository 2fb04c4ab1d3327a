"""The scalar unit reads `row[64]`; an instruction takes all of `row`."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def upper(x: GM[f32, (1, 128)], y: GM[f32, (1, 64)]):
    row = Tensor(f32, [1, 128], Position.UB)
    out = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        row <<= x
        muls(out, row[64], 2.0, count=64)  #~ WARNING no-effect: the offset of `row[64]` is dropped
        y <<= out
    return y
