"""A fill and a load of the same rows: who comes last is open, in auto_sync too."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def vector_write_before_load(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    with auto_sync():
        dup(ub, 0.0)
        ub <<= x[0:64, 0:64]  #~ ERROR race: V→MTE2
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(vector_write_before_load, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
