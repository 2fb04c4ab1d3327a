"""The branch uses the mask and forgets to reset it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_branch(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        if N < 8:
            set_mask(0, 0xFF)  #~ WARNING mask-leak: reaches the code after its branch
            adds(u, u, 1.0)
        exp(u, u)
        reset_mask()
        y[0:64, 0:64] <<= u
    return y
