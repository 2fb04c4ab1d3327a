"""UB is read before anything has written it."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_34_bad_read_before_write(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    acc = Tensor(DT.float, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub <<= x[0:64]
            add(acc, acc, ub)  #~ ERROR uninitialized-read: `acc`
            y[0:64] <<= acc
    return y


if __name__ == "__main__":
    x = torch.randn(64)
    y = torch.empty(64)
    OpExec(case_34_bad_read_before_write, "", simulator=True)(x, y)
