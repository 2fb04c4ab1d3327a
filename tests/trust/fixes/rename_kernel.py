# A kernel gets another name; texts, comments and other functions keep theirs
from easyasc.a2 import *

NOTE = "int is the kernel"  # int stays here


def helper(int):
    """int is a parameter here."""
    return int + 1


@kernel(mode="vec", block_dim=1)
def int(x: GMTensor, y: GMTensor):  #~ WARNING kernel-name: `int` is a C++ keyword
    """int copies a row."""
    row = Tensor(DT.float, [1, 64], Position.UB, name="int")
    if GetVecIdx() == 0:
        with auto_sync():
            row <<= x[0:helper(0), 0:64]
            sim_print(f"int {int}", row)
            y[0:1, 0:64] <<= row
    return y


if __name__ == "__main__":
    import torch
    OpExec(int, "int", simulator=True)(torch.randn(1, 64), torch.empty(1, 64))
