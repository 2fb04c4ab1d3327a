"""Integer `/` and `%` floor, also below zero; a truncating form is asked for by name."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def floors(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], shift: i32):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        first = shift / 3 + 2               # -5 / 3 is -2
        second = shift % 4                  # and -5 % 4 is 3
        third = var_div(shift, 3, rounding="trunc") + 1
        muls(tile[first:first + 1, :], tile[first:first + 1, :], 2.0)
        muls(tile[second:second + 1, :], tile[second:second + 1, :], 2.0)
        muls(tile[third:third + 1, :], tile[third:third + 1, :], 2.0)
        y[0:8, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(floors, launcher="sim")(torch.randn(8, 64), torch.empty(8, 64), -5)
