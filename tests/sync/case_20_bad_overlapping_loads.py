"""Two loads of the same rows: the second may land first."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def overlapping_loads(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    ub[32:64, 0:64] <<= x[64:96, 0:64]  #~ ERROR race: bar_mte2
    loaded.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(overlapping_loads, "", simulator=True)(torch.randn(96, 64), torch.zeros(64, 64))
