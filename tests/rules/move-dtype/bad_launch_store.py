"""A float tile is stored to an output that the launch makes half. It is not full of holes, too."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            valid = Min(64, M - m)
            tile[0:valid, 0:64] <<= x[m:m + valid, 0:64]
            muls(out, tile, 2.0)
            y[m:m + valid, 0:64] <<= out[0:valid, 0:64]  #~ ERROR move-dtype: which is float, and the launch gives `y` as half
    return y


if __name__ == "__main__":
    OpExec(scale, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64).half(), 256)
