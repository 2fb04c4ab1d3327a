"""Pipes at work on different columns of one tensor need no order."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def disjoint_columns(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 128], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    filled = SEvent(Pipe.V, Pipe.MTE3)
    ub[0:64, 0:64] <<= x[0:64, 0:64]
    dup(ub[0:64, 64:128], 1.0)
    loaded.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub[0:64, 0:64]
    filled.set()
    filled.wait()
    y[0:64, 64:128] <<= ub[0:64, 64:128]
    return y


if __name__ == "__main__":
    OpExec(disjoint_columns, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 128))
