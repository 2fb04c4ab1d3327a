"""The infinity is taken out again before it is stored."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_clamped_after(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [16, 128], Position.UB)
    out = Tensor(DT.float, [16, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:16, 0:128]
            rec(out, tile)
            vmins(out, out, 1.0e6)
            y[0:16, 0:128] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.zeros(16, 128)
    y = torch.empty(16, 128)
    OpExec(good_clamped_after, "", simulator=True)(x, y)
