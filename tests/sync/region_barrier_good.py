"""The barrier between dependent instructions of a region orders what V did before the region, too."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def region_barrier(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    zero = Tensor(DT.float, [64, 64], Position.UB)
    dup(zero, 0.0)
    with auto_sync():
        for i in range(3):
            a <<= x[i * 64:i * 64 + 64, 0:64]
            exp(b, a)
            abs(b, b)
            vmax(b, b, zero)
            y[i * 64:i * 64 + 64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(region_barrier, "", simulator=True)(torch.randn(192, 64), torch.zeros(192, 64))
