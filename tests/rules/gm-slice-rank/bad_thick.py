"""A slice of two heads."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0, 0:64, 0:64]
        y[0:2, 0:32, 0:64] <<= t  #~ ERROR gm-slice-rank: `y[0:2, 0:32, 0:64]` slices 3 dimensions; ub_to_gm_pad()
    return y
