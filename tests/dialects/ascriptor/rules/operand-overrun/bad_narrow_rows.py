"""Rows of 48 bytes: the load puts each into 64, and the last rows land on the neighbour."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def narrow(x: GM[f32, (64, 12)], y: GM[f32, (64, 12)]):
    tile = Tensor(f32, [64, 12], Position.UB)
    next_one = Tensor(f32, [64, 12], Position.UB)
    with auto_sync():
        dup(next_one, 1.0, count=768)
        tile <<= x  #~ ERROR operand-overrun
        add(tile, tile, next_one, count=768)  #~ WARNING padded-rows: takes 768 elements
        y[0:64, 0:12] <<= tile  #~ ERROR operand-overrun
    return y


if __name__ == "__main__":
    OpExec(narrow, launcher="sim")(torch.randn(64, 12), torch.empty(64, 12))
