"""Two loads into the same rows of one tile: the region orders different pipes only."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=2)
def head(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    for t in range(GetVecIdx(), M // 64, GetVecNum()):
        with auto_sync():
            tile[beat] <<= x[t * 64:t * 64 + 64, :]
            tile[beat][0:8, :] <<= x[0:8, :]  #~ ERROR race: no bar_mte2
            exp(tile[beat], tile[beat])
            y[t * 64:t * 64 + 64, :] <<= tile[beat]
        beat += 1
    return y


if __name__ == "__main__":
    OpExec(head, launcher="sim")(torch.randn(512, 64), torch.empty(512, 64))
