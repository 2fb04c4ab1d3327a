# Lanes store single numbers next to each other: they share a line of the cache.
import torch

from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=4)
def neighbours(x: GM[f32, (4, 64)], y: GM[f32, (4, 1)]):
    tile = Tensor(f32, [1, 64], Position.UB)
    read = SEvent(Pipe.MTE2, Pipe.S)
    first = Var(0.0)
    lane = GetVecIdx()
    tile <<= x[lane:lane + 1, :]
    read.set()
    read.wait()
    first.GetValueFrom(tile[0:1, 0:1])
    first.SetValueTo(y[lane:lane + 1, 0:1])  #~ WARNING scalar-line: in which vec0 has stored other elements
    return y


@kernel(mode="vec", block_dim=4)
def a_line_each(x: GM[f32, (4, 64)], y: GM[f32, (4, 16)]):
    tile = Tensor(f32, [1, 64], Position.UB)
    read = SEvent(Pipe.MTE2, Pipe.S)
    first = Var(0.0)
    lane = GetVecIdx()
    tile <<= x[lane:lane + 1, :]
    read.set()
    read.wait()
    first.GetValueFrom(tile[0:1, 0:1])
    for i in range(0, 16):
        first.SetValueTo(y[lane:lane + 1, i:i + 1])
    return y


if __name__ == "__main__":
    OpExec(neighbours, launcher="sim")(torch.randn(4, 64), torch.empty(4, 1))
    OpExec(a_line_each, launcher="sim")(torch.randn(4, 64), torch.empty(4, 16))
