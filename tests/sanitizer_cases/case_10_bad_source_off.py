"""A queue of records starts four bytes into a record."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_10_bad_source_off(x: GMTensor, y: GMTensor):
    records = Tensor(DT.float, [1, 256], Position.UB)
    merged = Tensor(DT.float, [1, 256], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            dup(merged, 0.0)
            records <<= x[0:256]
            mergesort_2seq(merged[0:1, 0:128], records[0:1, 1:65], records[0:1, 128:192], 32, 32)  #~ ERROR operand-alignment: starts 4 bytes past
            y[0:256] <<= merged
    return y


if __name__ == "__main__":
    x = torch.randn(256)
    y = torch.empty(256)
    OpExec(case_10_bad_source_off, "", simulator=True)(x, y)
