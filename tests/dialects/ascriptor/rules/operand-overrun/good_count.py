"""The count ends where the tensor does."""
from ascriptor.a2 import *


@kernel(mode="vec")
def sums(x: GM[f32, (16, 64)], s: GM[f32, 16]):
    tile = Tensor(f32, [16, 64], Position.UB)
    total = Tensor(f32, [1, 16], Position.UB)
    with auto_sync():
        tile <<= x
        cadd(total, tile)
        muls(total, total, 0.5, count=16)
        s[0:16] <<= total
    return s
