"""A barrier of the pipe orders loads that overlap; disjoint ones need none."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def barrier(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    ub[0:32, 0:64] <<= x[0:32, 0:64]
    ub[32:64, 0:64] <<= x[64:96, 0:64]
    bar_mte2()
    ub[0:8, 0:64] <<= x[32:40, 0:64]
    loaded.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(barrier, "", simulator=True)(torch.randn(96, 64), torch.zeros(64, 64))
