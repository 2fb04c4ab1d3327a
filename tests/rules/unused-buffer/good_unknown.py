"""A tensor that unknown code gets."""
from easyasc.a2 import *


from elsewhere import publish


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    spare = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        publish(spare)
        y[0:64, 0:64] <<= ub
    return y
