"""Four columns from a place that a loop decides."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.half, [64, 16], Position.UB)
    with auto_sync():
        for c in range(0, M, 4):
            t[0:64, 0:4] <<= x[0:64, c:c + 4]  #~ WARNING sub-block-column: gm_to_ub_pad() of 8 bytes
            y[0:64, c:c + 4] <<= t[0:64, 0:4]
    return y
