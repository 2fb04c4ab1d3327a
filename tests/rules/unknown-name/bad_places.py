"""One name is one finding, wherever it is used; a half-typed line is one as well."""
from easyasc.a2 import *


@kernel(mode="vec")
def twice(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        adds(b, a, offsett)  #~ ERROR unknown-name: the name `offsett` is not defined
        muls(b, b, offsett)
        y[0:64, 0:64] <<= b
    return y


@kernel(mode="vec")
def half_typed(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        mulss  #~ ERROR unknown-name: the name `mulss` is not defined
        y[0:64, 0:64] <<= a
    return y
