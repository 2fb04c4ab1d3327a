"""The method form of a conversion that does not exist."""
from easyasc.a2 import *


@kernel(mode="vec")
def method(x: GMTensor, y: GMTensor):
    u = Tensor(DT.uint8, [64, 64], Position.UB)
    f = Tensor(DT.float, [64, 64], Position.UB)
    u <<= x[0:64, 0:64]
    f <<= u.cast()  #~ ERROR cast-pair: no conversion from uint8 to float: `u` cannot become `f`
    y[0:64, 0:64] <<= f
    return y
