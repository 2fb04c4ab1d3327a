"""One scalar goes through the vector unit; the other lanes go nowhere."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_scalar_maths(x: GMTensor, y: GMTensor, var: Var):
    cell = Tensor(DT.float, [1, 64], Position.UB)
    root = Tensor(DT.float, [1, 64], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    inv = Var(0.0)
    var.SetValueTo(cell)
    bar_all()
    rsqrt(root, cell)
    bar_all()
    inv.GetValueFrom(root)
    bar_all()
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, inv)
        y[0:64, 0:64] <<= ub
    return y
