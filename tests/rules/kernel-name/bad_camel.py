"""Two spellings of one name."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, row_scale: Var, rowScale: Var):  #~ WARNING kernel-name: `row_scale` and `rowScale` both become `rowScale` in the generated operator
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, row_scale)
        y[0:64, 0:64] <<= ub
    return y
