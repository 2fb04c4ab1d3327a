"""Whatever the mask is: no float lane sees it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_var_mask(x: GMTensor, y: GMTensor, bits: Var):
    ub = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(4):
            set_mask(bits, 0)  #~ WARNING mask-arguments-swapped
            adds(ub, ub, 1)
            reset_mask()
        y[0:64, 0:64] <<= ub
    return y
