"""Dependent vector instructions without a barrier: read behind write and write behind read."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def dependent_vectors(y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    stored = SEvent(Pipe.V, Pipe.MTE3)
    dup(a, 1.0)
    exp(b, a)  #~ ERROR race: bar_v
    dup(a, 2.0)  #~ ERROR race: bar_v
    stored.set()
    stored.wait()
    y[0:64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(dependent_vectors, "", simulator=True)(torch.zeros(64, 64))
