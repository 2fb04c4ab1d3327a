"""Pipes at work on different rows of one tensor need no order."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def disjoint_rows(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    filled = SEvent(Pipe.V, Pipe.MTE3)
    ub[0:32, 0:64] <<= x[0:32, 0:64]
    dup(ub[32:64, 0:64], 1.0)
    loaded.set()
    loaded.wait()
    y[0:32, 0:64] <<= ub[0:32, 0:64]
    filled.set()
    filled.wait()
    y[32:64, 0:64] <<= ub[32:64, 0:64]
    return y


if __name__ == "__main__":
    OpExec(disjoint_rows, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
