"""Seven of eight blocks are masked off, and their maxima are stored."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_block_maxima(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    peaks = Tensor(DT.float, [32, 8], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:32, 0:64]
            set_mask(0, 0xFF)
            cgmax(peaks, tile)
            reset_mask()
            y[0:32, 0:8] <<= peaks  #~ WARNING masked-reduction-stale
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 64)
    y = torch.empty(32, 8)
    OpExec(bad_block_maxima, "", simulator=True)(x, y)
