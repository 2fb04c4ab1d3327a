"""Nothing in the region depends on anything before `zero` is read: no barrier stands there."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def region_barrier(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    zero = Tensor(DT.float, [64, 64], Position.UB)
    dup(zero, 0.0)
    with auto_sync():
        a <<= x[0:64, 0:64]
        vmax(b, a, zero)  #~ ERROR race: no bar_v orders them
        abs(b, b)
        y[0:64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(region_barrier, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
