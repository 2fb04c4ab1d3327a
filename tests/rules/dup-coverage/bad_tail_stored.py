"""How many rows are stored depends on the launch: with more than eight, rows that were not filled."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_tail_stored(y: GMTensor, M: Var):
    ones = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(ones, 1.0)  #~ WARNING dup-coverage: dup() writes 64 of 512 elements of `ones` [64,8] (repeat 8, block stride 0)
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - r)
            y[r:r + rows, 0:8] <<= ones[0:rows, 0:8]
    return y
