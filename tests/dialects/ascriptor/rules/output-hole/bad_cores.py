"""The decorator gives two cores, and the kernel takes one tile for each."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=2)
def copy(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [32, 64], Position.UB)
    with auto_sync():
        row = Min(GetVecIdx() * 32, M)
        rows = Min(32, M - row)
        tile[0:rows, :] <<= x[row:row + rows, 0:64]
        y[row:row + rows, 0:64] <<= tile[0:rows, :]  #~ ERROR output-hole: 2048 of the 6144 elements
    return y


if __name__ == "__main__":
    OpExec(copy, launcher="sim")(torch.randn(96, 64), torch.empty(96, 64))
