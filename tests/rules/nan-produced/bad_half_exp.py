"""The exponential of 20 does not fit into a half."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_half_exp(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.half, [16, 128], Position.UB)
    out = Tensor(DT.half, [16, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:16, 0:128]
            exp(out, tile)  #~ WARNING nan-produced: an infinity
            y[0:16, 0:128] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.full((16, 128), 20.0).half()
    y = torch.empty(16, 128).half()
    OpExec(bad_half_exp, "", simulator=True)(x, y)
