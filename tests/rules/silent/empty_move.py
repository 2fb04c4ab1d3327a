"""A load of no rows."""
from easyasc.a2 import *


@kernel(mode="vec")
def empty_move(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 8], Position.UB)
    narrow = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        dup(ub, 0.0, count=512)
        gm_to_ub_pad(ub, x[0:64, 0:8], n_burst=0)
        gm_to_ub_pad(narrow, x[0:64, 0:1], n_burst=0)
        y[0:64, 0:8] <<= ub
    return y
