"""A launch breaks what the kernel promises of its extents."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


# a2lint: assume(M % 64 == 0)
@kernel(mode="vec", block_dim=2)
def tiles(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for step in range(GetVecIdx(), M // 64, GetVecNum()):
            tile[beat] <<= x[step * 64:step * 64 + 64, 0:64]
            exp(tile[beat], tile[beat])
            y[step * 64:step * 64 + 64, 0:64] <<= tile[beat]
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(tiles, launcher="sim")(torch.randn(128, 64), torch.empty(128, 64))
    OpExec(tiles, launcher="sim")(torch.randn(100, 64), torch.empty(100, 64))  #~ ERROR contract-violated
