"""A copy inside of UB moves whole blocks, whatever the mask."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_dynamic_copy(x: GMTensor, y: GMTensor, low: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    v = Tensor(DT.float, [64, 64], Position.UB)
    tail = Var(low, DT.uint64)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, tail)
        muls(u, u, 2.0)
        ub_to_ub(v, u)  #~ WARNING mask-ignored: ub_to_ub() works on all lanes
        reset_mask()
        y[0:64, 0:64] <<= v
    return y
