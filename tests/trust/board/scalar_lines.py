# Lanes store single numbers next to each other: they share a line of the cache.
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def neighbours(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [1, 64], Position.UB)
    read = SEvent(Pipe.MTE2, Pipe.S)
    first = Var(0.0)
    lane = GetVecIdx()
    tile <<= x[lane:lane + 1, 0:64]
    read.set()
    read.wait()
    first.GetValueFrom(tile)
    first.SetValueTo(y[lane:lane + 1, 0:1])  #~ WARNING scalar-line: in which vec0 has stored other elements
    return y


@kernel(mode="vec")
def a_line_each(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [1, 64], Position.UB)
    read = SEvent(Pipe.MTE2, Pipe.S)
    first = Var(0.0)
    lane = GetVecIdx()
    tile <<= x[lane:lane + 1, 0:64]
    read.set()
    read.wait()
    first.GetValueFrom(tile)
    for i in range(0, 16):
        first.SetValueTo(y[lane:lane + 1, i:i + 1])
    return y


if __name__ == "__main__":
    OpExec(neighbours, "", simulator=True)(torch.randn(40, 64), torch.zeros(40, 1))
    OpExec(a_line_each, "", simulator=True)(torch.randn(40, 64), torch.zeros(40, 16))
