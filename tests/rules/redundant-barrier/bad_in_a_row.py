#~ pedantic
"""The second barrier finds nothing to wait for."""
from easyasc.a2 import *

@kernel(mode="vec")
def in_a_row(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    ub <<= x[0:64, 0:64]
    bar_all()
    bar_v()  #~ WARNING redundant-barrier: V has done nothing
    exp(ub, ub)
    bar_all()
    y[0:64, 0:64] <<= ub
    return y
