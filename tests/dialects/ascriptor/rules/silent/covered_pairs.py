"""What a region covers: fill before load, reload of what is stored, V to S, all in a loop."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def covered(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    limit = Var(0.0)
    for step in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
        with auto_sync():
            row = step * 64
            rows = Min(64, M - row)
            dup(tile, 0.0)
            tile[0:rows, :] <<= x[row:row + rows, 0:64]
            vmax(tile[0:32, :], tile[0:32, :], tile[32:64, :])
            cmax(peak, tile[0:32, :])
            limit.GetValueFrom(peak[0:1, 0:1])
            vmins(tile, tile, limit)
            y[row:row + rows, 0:64] <<= tile[0:rows, :]
    return y


if __name__ == "__main__":
    for M in [64, 130, 400]:
        OpExec(covered, launcher="sim", block_dim=2)(torch.randn(M, 64), torch.empty(M, 64))
