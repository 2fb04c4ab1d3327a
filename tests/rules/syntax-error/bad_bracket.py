"""One mistake is one finding; what the statement names is not known."""
from easyasc.a2 import *


@kernel(mode="vec")
def bracket(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        exp(b, a  #~ ERROR syntax-error: `(` is never closed
        y[0:64, 0:64] <<= b
    return y


@kernel(mode="vec")
def closing(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]]  #~ ERROR syntax-error: `]` closes nothing
        y[0:64, 0:64] <<= a
    return y


@kernel(mode="vec")
def half_typed(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.  #~ ERROR syntax-error: `(` is never closed
    with auto_sync():
        a <<= x[0:64, 0:64]
        exp(b, a)
        y[0:64, 0:64] <<= b
    return y
