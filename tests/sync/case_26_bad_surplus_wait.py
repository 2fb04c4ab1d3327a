"""One wait more than there are sets: the pipe stands still."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def surplus_wait(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    filled = SEvent(Pipe.V, Pipe.MTE3)
    dup(ub, 1.0)
    filled.set()
    filled.wait()
    filled.wait()  #~ ERROR event-unbalanced: 1 more wait than sets
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(surplus_wait, "", simulator=True)(torch.zeros(64, 64))
