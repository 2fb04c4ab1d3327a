"""Put, then taken."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_38_good_put_then_taken(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    if GetVecIdx() == 0:
        ub <<= x[0:64, 0:64]
        loaded.set()
        loaded.wait()
        y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.randn(64, 64)
    y = torch.empty(64, 64)
    OpExec(case_38_good_put_then_taken, "", simulator=True)(x, y)
