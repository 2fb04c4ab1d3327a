"""A launch stores more rows than were filled; another one, in the same kernel, no more than that."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def bad_tail_of_a_launch(y: GMTensor, M: Var):
    ones = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(ones, 1.0)  #~ ERROR dup-coverage: dup() writes 64 of 512 elements of `ones` [64,8] (repeat 8, block stride 0)
        rows = Min(64, M)
        if GetVecIdx() == 0:
            y[0:rows, 0:8] <<= ones[0:rows, 0:8]
    return y


if __name__ == "__main__":
    OpExec(bad_tail_of_a_launch, "", simulator=True)(torch.zeros(8, 8), 8)
    OpExec(bad_tail_of_a_launch, "", simulator=True)(torch.zeros(40, 8), 40)
