"""An event between load and store."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def event(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    loaded.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(event, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
