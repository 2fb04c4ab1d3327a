"""However it is launched, no more rows are stored than the fill reaches."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def good_rows_that_are_filled(y: GMTensor, M: Var):
    ones = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(ones, 1.0)
        rows = Min(8, M)
        if GetVecIdx() == 0:
            y[0:rows, 0:8] <<= ones[0:rows, 0:8]
    return y


if __name__ == "__main__":
    OpExec(good_rows_that_are_filled, "", simulator=True)(torch.zeros(8, 8), 8)
    OpExec(good_rows_that_are_filled, "", simulator=True)(torch.zeros(8, 8), 40)
