"""An event tells the load that the fill is done."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def event_between(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    filled = SEvent(Pipe.V, Pipe.MTE2)
    with auto_sync():
        dup(ub, 0.0)
        filled.set()
        filled.wait()
        ub <<= x[0:64, 0:64]
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(event_between, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
