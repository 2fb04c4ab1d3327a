"""The store does not wait for the vector instruction."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def store_before_vector_is_done(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    loaded = SEvent(Pipe.MTE2, Pipe.V)
    ub <<= x[0:64, 0:64]
    loaded.set()
    loaded.wait()
    exp(ub, ub)
    y[0:64, 0:64] <<= ub  #~ ERROR race: V→MTE3
    return y


if __name__ == "__main__":
    OpExec(store_before_vector_is_done, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
