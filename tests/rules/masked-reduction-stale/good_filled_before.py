"""The maxima are filled before the masked reduction."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_filled_before(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    peaks = Tensor(DT.float, [32, 8], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:32, 0:64]
            dup(peaks, -1.0e30, count=256)
            set_mask(0, 0xFF)
            cgmax(peaks, tile)
            reset_mask()
            y[0:32, 0:8] <<= peaks
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 64)
    y = torch.empty(32, 8)
    OpExec(good_filled_before, "", simulator=True)(x, y)
