"""The clamp keeps the exponential inside of the type."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_bounded(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.half, [16, 128], Position.UB)
    out = Tensor(DT.half, [16, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:16, 0:128]
            vmins(tile, tile, 10.0)
            exp(out, tile)
            y[0:16, 0:128] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.full((16, 128), 20.0).half()
    y = torch.empty(16, 128).half()
    OpExec(good_bounded, "", simulator=True)(x, y)
