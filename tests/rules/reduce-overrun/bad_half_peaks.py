"""The results of forty rows of halves do not fit into one block."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_half_peaks(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.half, [64, 128], Position.UB)
    sums = Tensor(DT.half, [1, 16], Position.UB)
    rest = Tensor(DT.half, [1, 256], Position.UB)
    valid = Min(64, M)
    if GetVecIdx() == 0:
        with auto_sync():
            tile[0:valid, 0:128] <<= x[0:valid, 0:128]
            cmax(sums, tile[0:valid, 0:128])  #~ ERROR reduce-overrun: over `rest`
            dup(rest, 0.0)
            y[0:16] <<= sums[0:1, 0:16]
    return y


if __name__ == "__main__":
    import torch

    M = 40
    x = torch.randn(M, 128).half()
    y = torch.zeros(16).half()
    OpExec(bad_half_peaks, "", simulator=True)(x, y, M)
