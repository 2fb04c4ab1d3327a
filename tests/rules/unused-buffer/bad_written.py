"""A running sum that nobody takes."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    total = Tensor(DT.float, [64, 64], Position.UB)  #~ WARNING unused-buffer: `total` [64,64] is written and never read: 16384 bytes of UB
    with auto_sync():
        ub <<= x[0:64, 0:64]
        dup(total, 0.0)
        for k in range(0, M):
            add(total, total, ub)
        y[0:64, 0:64] <<= ub  #~ WARNING race
    return y
