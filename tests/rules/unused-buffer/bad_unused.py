"""A tensor that was left over."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    spare = DBuff(DT.float, [64, 64], Position.UB)  #~ WARNING unused-buffer: `spare` [64,64] is never used: 32768 bytes of UB
    with auto_sync():
        ub <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub
    return y
