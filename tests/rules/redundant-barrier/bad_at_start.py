#~ pedantic
"""Nothing has been issued yet."""
from easyasc.a2 import *

@kernel(mode="vec")
def at_start(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    bar_all()  #~ WARNING redundant-barrier: nothing has been issued
    with auto_sync():
        ub <<= x[0:64, 0:64]
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y
