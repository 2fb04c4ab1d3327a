"""The reciprocal of a sum that can be zero."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_reciprocal_of_zero(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [16, 128], Position.UB)
    out = Tensor(DT.float, [16, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:16, 0:128]
            muls(tile, tile, 3.0)
            rec(out, tile)  #~ WARNING nan-produced: reaches `y`
            y[0:16, 0:128] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.zeros(16, 128)
    y = torch.empty(16, 128)
    OpExec(bad_reciprocal_of_zero, "", simulator=True)(x, y)
