"""Ids 0 to 7 exist, and the toolchain keeps 6 and 7."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def event_ids(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    dup(ub, 1.0)
    setflag(Pipe.V, Pipe.MTE3, 9)  #~ ERROR event-budget: the pair has 0 to 7
    waitflag(Pipe.V, Pipe.MTE3, 9)  #~ ERROR event-budget: the pair has 0 to 7
    y[0:64, 0:64] <<= ub
    setflag(Pipe.MTE3, Pipe.V, 6)  #~ WARNING event-budget: the toolchain keeps it
    waitflag(Pipe.MTE3, Pipe.V, 6)  #~ WARNING event-budget: the toolchain keeps it
    dup(ub, 2.0)
    setflag(Pipe.V, Pipe.MTE3, 5)
    waitflag(Pipe.V, Pipe.MTE3, 5)
    y[64:128, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(event_ids, "", simulator=True)(torch.zeros(128, 64))
