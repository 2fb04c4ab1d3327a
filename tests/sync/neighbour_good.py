"""A load fills the neighbour of what a vector instruction works on, and stays on its side."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def neighbour(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 64], Position.UB)
    b = Tensor(DT.float, [1, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    a <<= x[0:1, 0:64]
    loaded.set()
    loaded.wait()
    b <<= x[1:2, 0:64]
    adds(a, a, 1.0, count=64)
    loaded.set()
    loaded.wait()
    bar_v()
    add(a, a, b)
    done.set()
    done.wait()
    y[0:1, 0:64] <<= a
    return y


if __name__ == "__main__":
    OpExec(neighbour, "", simulator=True)(torch.randn(2, 64), torch.zeros(1, 64))
