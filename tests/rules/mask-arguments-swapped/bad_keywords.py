"""The words by keyword, the reader an expression."""
from easyasc.a2 import *


@kernel(mode="vec")
def keywords(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 64], Position.UB)
    t <<= x[0:64, 0:64]
    bar_all()
    low = 0xFFFF
    set_mask(mask_high=low, mask_low=0)  #~ WARNING mask-arguments-swapped
    t <<= t + 1.0
    reset_mask()
    bar_all()
    y[0:64, 0:64] <<= t
    return y
