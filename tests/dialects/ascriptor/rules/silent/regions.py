"""Many small regions, nested ones and regions in branches form one set."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def regions(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    for step in range(GetVecIdx(), M // 64, GetVecNum()):
        row = step * 64
        with auto_sync():
            tile[beat] <<= x[row:row + 64, 0:64]
        if row > 0:
            with auto_sync():
                exp(tile[beat], tile[beat])
        with auto_sync():
            with auto_sync():
                muls(tile[beat], tile[beat], 2.0)
            y[row:row + 64, 0:64] <<= tile[beat]
        beat += 1
    return y


if __name__ == "__main__":
    OpExec(regions, launcher="sim", block_dim=1)(torch.randn(256, 64), torch.empty(256, 64))
