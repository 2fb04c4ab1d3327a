"""The load fills the end of each row, the fill before it the blocks after: nothing is undefined."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=2)
def peaks(x: GM[f32, ("M", "N")], s: GM[f32, "M"]):
    tile = Tensor(f32, [64, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    for step in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
        with auto_sync():
            rows = Min(64, M - step * 64)
            dup(tile, -1.0e30)
            window = x[step * 64:step * 64 + rows, 0:N]
            gm_to_ub_pad(tile[0:rows, 0:N], window, pad=-1.0e30)
            cmax(peak, tile)
            s[step * 64:step * 64 + rows] <<= peak[:, 0:rows]
    return s


if __name__ == "__main__":
    for M, N in [(64, 64), (65, 13), (1, 1)]:
        OpExec(peaks, launcher="sim")(torch.randn(M, N), torch.empty(M))
