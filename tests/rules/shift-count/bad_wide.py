"""More bits than there are."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        shiftrs(t, t, 40)  #~ ERROR shift-count: shiftrs() by 40 bits; int elements have 32
        shiftls(t, t, -1)  #~ ERROR shift-count: shiftls() by -1 bits; a shift is not negative
        y[0:64, 0:64] <<= t
    return y
