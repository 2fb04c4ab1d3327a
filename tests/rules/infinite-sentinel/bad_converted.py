"""A float sentinel that half cannot hold."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_converted(y: GMTensor):
    wide = Tensor(DT.float, [8, 64], Position.UB)
    copy = Tensor(DT.float, [8, 64], Position.UB)
    narrow = Tensor(DT.half, [8, 64], Position.UB)
    with auto_sync():
        dup(wide, -1.0e30)
        ub_to_ub(copy, wide)
        cast(narrow, copy)  #~ WARNING infinite-sentinel: turns the sentinel -1e30 into -inf
        y[0:8, 0:64] <<= narrow
    return y
