"""Accesses that share no byte need no order: rows, columns, slots by parity."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def disjoint(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    two = DBuff(DT.float, [64, 64], Position.UB)
    ready = SEvent(Pipe.V, Pipe.MTE3)
    dup(ub[0:32, 0:64], 0.0)
    ub[32:64, 0:64] <<= x[0:32, 0:64]
    bar_all()
    for i in range(2):
        dup(two[i], 1.0)
        two[i + 1][0:64, 0:64] <<= x[0:64, 0:64]
        bar_all()
    ready.set()
    ready.wait()
    y[0:64, 0:64] <<= ub
    y[64:128, 0:64] <<= two[0]
    y[128:192, 0:64] <<= two[1]
    return y


if __name__ == "__main__":
    OpExec(disjoint, "", simulator=True)(torch.randn(64, 64), torch.zeros(192, 64))
