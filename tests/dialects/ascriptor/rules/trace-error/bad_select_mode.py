"""The mode of a select is not guessed."""
from ascriptor.a2 import *


@kernel(mode="vec")
def pick(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    mask = Tensor(u8, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x
        dup(zero, 0.0)
        compare_scalar(mask, tile, 0.0, CompareMode.GT)
        select(tile, mask, tile, zero)  #~ ERROR trace-error: mode
        y[0:64, 0:64] <<= tile
    return y
