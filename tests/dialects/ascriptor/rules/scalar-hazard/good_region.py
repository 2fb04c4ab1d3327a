"""In a region the handshake from V to S is part of it."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def clip(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    limit = Var(0.0)
    with auto_sync():
        tile <<= x
        cmax(peak, tile)
        limit.GetValueFrom(peak[0:1, 0:1])
        muls(tile, tile, limit)
        y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(clip, launcher="sim")(torch.randn(64, 64), torch.empty(64, 64))
