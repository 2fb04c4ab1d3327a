"""Two stores that overlap in GM."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def overlapping_stores(y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    filled = SEvent(Pipe.V, Pipe.MTE3)
    dup(ub, 1.0)
    filled.set()
    filled.wait()
    y[0:64, 0:64] <<= ub
    y[32:96, 0:64] <<= ub  #~ ERROR race: bar_mte3
    return y


if __name__ == "__main__":
    OpExec(overlapping_stores, "", simulator=True)(torch.zeros(96, 64))
