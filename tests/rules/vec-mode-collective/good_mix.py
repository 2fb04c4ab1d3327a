"""All lanes wait for each other."""
from easyasc.a2 import *


@kernel(mode="mix")
def partial_sums(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        ub <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= ub
    allvec_ready(0)
    allvec_wait(0)
    return y
