"""Every block keeps an active lane, so every maximum is written."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_lane_in_every_block(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    peaks = Tensor(DT.float, [32, 8], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:32, 0:64]
            set_mask(0, 0x0101010101010101)
            cgmax(peaks, tile)
            reset_mask()
            y[0:32, 0:8] <<= peaks
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 64)
    y = torch.empty(32, 8)
    OpExec(good_lane_in_every_block, "", simulator=True)(x, y)
