"""A loop that Python runs."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    left = Var(M)
    assert left > 0  #~ ERROR truthy-var: `assert` needs the truth of `left > 0`
    with auto_sync():
        ub <<= x[0:64, 0:64]
        while left > 0:  #~ ERROR truthy-var: `while` needs the truth of `left > 0`
            muls(ub, ub, 2.0)
            left -= 1
        y[0:64, 0:64] <<= ub
    return y
