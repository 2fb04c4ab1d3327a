"""A vector instruction right behind the load of its operand."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def vector_right_after_load(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    stored = SEvent(Pipe.V, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    exp(ub, ub)  #~ ERROR race: MTE2→V
    stored.set()
    stored.wait()
    y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(vector_right_after_load, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
