"""The store hands the buffer back before the next load."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_37_good_handed_back(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    if GetVecIdx() == 0:
        for t in range(2):
            stored.wait()
            ub <<= x[t * 64:t * 64 + 64, 0:64]
            loaded.set()
            loaded.wait()
            y[t * 64:t * 64 + 64, 0:64] <<= ub
            stored.set()
    return y


if __name__ == "__main__":
    x = torch.randn(128, 64)
    y = torch.empty(128, 64)
    OpExec(case_37_good_handed_back, "", simulator=True)(x, y)
