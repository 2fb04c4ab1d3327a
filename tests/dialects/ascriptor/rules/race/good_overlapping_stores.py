"""A barrier of the pipe between them."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def twice(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    edge = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        tile <<= x
        exp(tile, tile)
        dup(edge, 0.0)
        y[0:64, 0:64] <<= tile
        bar_mte3()
        y[63:64, 0:64] <<= edge
    return y


if __name__ == "__main__":
    OpExec(twice, launcher="sim", block_dim=1)(torch.randn(64, 64), torch.empty(64, 64))
