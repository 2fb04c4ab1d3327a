"""Two sets in a row; the barrier between them does not make it two."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def redundant_set(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    filled = SEvent(Pipe.V, Pipe.MTE3)
    dup(ub, 1.0)
    filled.set()
    bar_v()
    filled.set()  #~ ERROR event-unbalanced: sets the event `filled` while it is still set
    filled.wait()
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(redundant_set, "", simulator=True)(torch.zeros(64, 64))
