"""An output may share the name of an input."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(row_sum: GMTensor, rowSum: GMTensor, factor: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= row_sum[0:64, 0:64]
        muls(ub, ub, factor)
        rowSum[0:64, 0:64] <<= ub
    return rowSum
