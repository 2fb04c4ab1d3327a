"""A tensor is taken before anything was put: the consumer waits for a hand-over that never comes."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_38_bad_taken_before_put(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    if GetVecIdx() == 0:
        ub <<= x[0:64, 0:64]
        loaded.wait()  #~ ERROR event-unbalanced: `loaded.wait()` waits for ever
        y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.randn(64, 64)
    y = torch.empty(64, 64)
    OpExec(case_38_bad_taken_before_put, "", simulator=True)(x, y)
