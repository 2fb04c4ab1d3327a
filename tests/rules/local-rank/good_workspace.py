"""A workspace may have any rank."""
from easyasc.a2 import *


@kernel(mode="vec")
def stage(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [64, 64], Position.UB)
    ws = split_workspace(DT.float, [GetVecNum(), 2, 64, 64])
    with auto_sync():
        ub_x <<= x[0:64, 0:64]
        ws[GetVecIdx(), 0, 0:64, 0:64] <<= ub_x
        y[0:64, 0:64] <<= ub_x

    return y
