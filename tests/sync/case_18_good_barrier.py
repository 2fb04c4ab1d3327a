"""A barrier between dependent vector instructions."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def barrier(y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    stored = SEvent(Pipe.V, Pipe.MTE3)
    dup(a, 1.0)
    bar_v()
    exp(b, a)
    stored.set()
    stored.wait()
    y[0:64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(barrier, "", simulator=True)(torch.zeros(64, 64))
