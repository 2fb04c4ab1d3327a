"""A narrow half tile is filled and stored whole."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_half_stored(x: GMTensor, y: GMTensor, M: Var):
    ones = Tensor(DT.half, [64, 16], Position.UB)
    with auto_sync():
        dup(ones, 1.0)  #~ ERROR dup-coverage: dup() writes 128 of 1024 elements of `ones` [64,16] (repeat 8, block stride 0)
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            y[r:r + 64, 0:16] <<= ones
    return y
