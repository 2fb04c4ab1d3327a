"""The compiler inserts barriers between vector instructions, and nothing between pipes."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def no_region(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    tile <<= x
    exp(tile, tile)  #~ ERROR race: MTE2→V
    muls(tile, tile, 2.0)
    y[0:64, 0:64] <<= tile  #~ ERROR race: V→MTE3
    return y


if __name__ == "__main__":
    OpExec(no_region, launcher="sim", block_dim=1)(torch.randn(64, 64), torch.empty(64, 64))
