"""Set and wait name the same pair and id."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def partner(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    dup(ub, 1.0)
    setflag(Pipe.V, Pipe.MTE3, 0)
    waitflag(Pipe.V, Pipe.MTE3, 0)
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(partner, "", simulator=True)(torch.zeros(64, 64))
