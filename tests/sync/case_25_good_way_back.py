"""Between two sets stand the wait and the way back."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def way_back(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    filled = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.V)
    dup(ub, 1.0)
    filled.set()
    filled.wait()
    y[0:64, 0:64] <<= ub
    stored.set()
    stored.wait()
    dup(ub, 2.0)
    filled.set()
    filled.wait()
    y[64:128, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(way_back, "", simulator=True)(torch.zeros(128, 64))
