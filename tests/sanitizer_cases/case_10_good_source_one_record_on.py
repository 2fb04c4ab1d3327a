"""A queue starts one record into a block."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_10_good_source_one_record_on(x: GMTensor, y: GMTensor):
    records = Tensor(DT.float, [1, 256], Position.UB)
    merged = Tensor(DT.float, [1, 256], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            dup(merged, 0.0)
            records <<= x[0:256]
            mergesort_2seq(merged[0:1, 0:128], records[0:1, 2:66], records[0:1, 128:192], 32, 32)
            y[0:256] <<= merged
    return y


if __name__ == "__main__":
    x = torch.randn(256)
    y = torch.empty(256)
    OpExec(case_10_good_source_one_record_on, "", simulator=True)(x, y)
