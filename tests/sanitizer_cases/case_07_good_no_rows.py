"""The second core has no rows to store: nothing overlaps."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_07_good_no_rows(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [4, 64], Position.UB)
    i = GetCubeIdx()
    with auto_sync():
        if i < 2 and GetSubBlockIdx() == 0:
            ub <<= x[i, 0:4, 0:64]
            muls(ub, ub, 2.0)
            c = Var(i * 32)
            rows = Max(Min(4, M - i * 4), 0)
            y[0:rows, c:c + 40] <<= ub[0:rows, 0:40]
    return y


if __name__ == "__main__":
    M = 4
    x = torch.randn(2, 4, 64)
    y = torch.zeros(4, 40)
    OpExec(case_07_good_no_rows, "", simulator=True)(x, y, M)
