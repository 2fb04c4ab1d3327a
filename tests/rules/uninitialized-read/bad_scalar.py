"""A scalar is read from a tensor in a helper, once for all its calls."""
from easyasc.a2 import *


@func()
def scaled(t, scratch):
    s = Var(0.0)
    s.GetValueFrom(scratch)  #~ ERROR uninitialized-read: GetValueFrom() reads `scratch`
    muls(t, t, s)


@kernel(mode="vec")
def bad_scalar(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    scratch = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        scaled(ub, scratch)
        scaled(ub, scratch)
        y[0:64, 0:64] <<= ub
    return y
