"""Rows of 48 bytes in a tile of whole blocks: the work takes in the padding, the store leaves it out."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def padded(x: GM[f32, (64, 12)], y: GM[f32, (64, 12)]):
    tile = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        dup(tile, 0.0, count=1024)
        tile[0:64, 0:12] <<= x
        muls(tile, tile, 2.0, count=1024)
        y[0:64, 0:12] <<= tile[0:64, 0:12]
    return y


if __name__ == "__main__":
    OpExec(padded, launcher="sim")(torch.randn(64, 12), torch.empty(64, 12))
