"""A barrier orders what was issued before it, not what comes later."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def region_barrier(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    one = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        exp(b, a)
        abs(b, b)
    dup(one, 1.0)
    with auto_sync():
        vmax(a, a, one)  #~ ERROR race: no bar_v orders them
        add(b, b, a)
        y[0:64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(region_barrier, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
