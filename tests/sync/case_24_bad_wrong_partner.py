"""What is set has no partner: the waits are for the reversed pair and for another id."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def wrong_partner(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    dup(ub, 1.0)
    setflag(Pipe.V, Pipe.MTE3, 0)
    waitflag(Pipe.MTE3, Pipe.V, 0)  #~ ERROR event-unbalanced: nothing in the kernel sets flag 0 from MTE3 to V
    waitflag(Pipe.V, Pipe.MTE3, 1)  #~ ERROR event-unbalanced: which nothing in the kernel sets; line 10 sets flag 0
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(wrong_partner, "", simulator=True)(torch.zeros(64, 64))
