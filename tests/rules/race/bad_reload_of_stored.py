"""One tensor is loaded, changed in place and stored in a loop: auto_sync has no MTE3→MTE2."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def reload_of_stored(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    with auto_sync():
        for i in range(N):
            ub <<= x[i * 64:i * 64 + 64, 0:64]  #~ ERROR race: MTE3→MTE2
            exp(ub, ub)
            y[i * 64:i * 64 + 64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(reload_of_stored, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64), 4)
