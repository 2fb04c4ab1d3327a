"""The mask ends in the middle of the repeat; the sums behind it are read by an addition."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_half_sums(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.half, [32, 128], Position.UB)
    sums = Tensor(DT.half, [2, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:32, 0:128]
            set_mask(0, 0xFFFFFFFF)
            cgadd(sums, tile)
            reset_mask()
            muls(sums, sums, 0.5)
            y[0:2, 0:128] <<= sums  #~ WARNING masked-reduction-stale
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 128).half()
    y = torch.empty(2, 128).half()
    OpExec(bad_half_sums, "", simulator=True)(x, y)
