"""Rows of whole blocks have no padding; the fill covers the columns after them."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=2)
def peaks(x: GM[f32, ("M", 24)], s: GM[f32, "M"]):
    tile = Tensor(f32, [64, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    for step in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
        with auto_sync():
            rows = Min(64, M - step * 64)
            dup(tile, -1.0e30)
            tile[0:rows, 0:24] <<= x[step * 64:step * 64 + rows, :]
            cmax(peak, tile)
            s[step * 64:step * 64 + rows] <<= peak[:, 0:rows]
    return s


if __name__ == "__main__":
    for M in [1, 65, 200]:
        OpExec(peaks, launcher="sim")(torch.randn(M, 24), torch.empty(M))
