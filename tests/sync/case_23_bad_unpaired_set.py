"""An event is set at the end, and no wait takes it: the next kernel finds it set."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def unpaired_set(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    stored = SEvent(Pipe.MTE3, Pipe.V)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    stored.set()  #~ ERROR event-unbalanced: nothing in the kernel waits for the event `stored`
    return y


if __name__ == "__main__":
    OpExec(unpaired_set, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
