"""Two types of the same size."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.half, [8, 64], Position.UB)
    f = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            ub <<= x[0:8, 0:64]  #~ ERROR move-dtype: which is half, and the launch gives `x` as bfloat16
            cast(f, ub)
            y[0:8, 0:64] <<= f
    return y


if __name__ == "__main__":
    x = torch.randn(8, 64).to(torch.bfloat16)
    OpExec(k, "", simulator=True)(x, torch.empty(8, 64))
