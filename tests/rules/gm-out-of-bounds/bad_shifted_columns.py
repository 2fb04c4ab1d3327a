"""The load starts eight columns late and is as long as a row."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_shifted_columns(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [16, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            tile <<= x[0:16, 8:72]  #~ ERROR gm-out-of-bounds: axis 1 has 64 elements
            y[0:16, 0:64] <<= tile
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(16, 64)
    y = torch.empty(16, 64)
    OpExec(bad_shifted_columns, "", simulator=True)(x, y)
