"""What MTE2 loads, MTE3 stores at once: nothing makes it wait."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def store_right_after_load(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    ub <<= x[0:64, 0:64]
    y[0:64, 0:64] <<= ub  #~ ERROR race: MTE2→MTE3
    return y


if __name__ == "__main__":
    OpExec(store_right_after_load, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
