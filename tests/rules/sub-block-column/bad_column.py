"""One column of a matrix."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        t[0:64, 0:1] <<= x[0:64, 2:3]  #~ WARNING sub-block-column: gm_to_ub_pad() of 4 bytes from each row of `x`: every row fills a block of 32 bytes in UB
        y[0:64, 0:1] <<= t[0:64, 0:1]
    return y
