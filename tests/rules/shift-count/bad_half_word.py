"""The width of another type, and a float Var."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int16, [64, 64], Position.UB)
    bits = Var(0.0)
    with auto_sync():
        t <<= x[0:64, 0:64]
        shiftls(t, t, 17)  #~ ERROR shift-count: shiftls() by 17 bits; int16 elements have 16
        bits <<= M * 0.5
        shiftls(t, t, bits)  #~ ERROR shift-count: shiftls() by `bits`, which is a float; the count is an integer
        y[0:64, 0:64] <<= t
    return y
