"""The branch only chooses the mask for what follows."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_branch_chooses(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        if N < 8:
            set_mask(0, 0xFF)
        adds(u, u, 1.0)
        reset_mask()
        y[0:64, 0:64] <<= u
    return y
