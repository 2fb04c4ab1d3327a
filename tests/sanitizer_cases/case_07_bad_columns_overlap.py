"""Four runs of forty columns, and four runs that start in the last eight of them."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_07_bad_columns_overlap(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [4, 64], Position.UB)
    i = GetCubeIdx()
    with auto_sync():
        if i < 2 and GetSubBlockIdx() == 0:
            ub <<= x[i, 0:4, 0:64]
            muls(ub, ub, 2.0)
            c = Var(i * 32)
            y[0:4, c:c + 40] <<= ub[0:4, 0:40]  #~ ERROR core-overlap: has stored
    return y


if __name__ == "__main__":
    x = torch.randn(2, 4, 64)
    y = torch.empty(4, 72)
    OpExec(case_07_bad_columns_overlap, "", simulator=True)(x, y)
