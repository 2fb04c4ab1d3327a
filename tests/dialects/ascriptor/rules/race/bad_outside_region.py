"""One end stands outside of every region."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def outside(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    tile <<= x
    with auto_sync():
        exp(tile, tile)  #~ ERROR race: MTE2→V
        y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(outside, launcher="sim", block_dim=1)(torch.randn(64, 64), torch.empty(64, 64))
