# A name that nothing defines is not corrected to the kernel around it: a kernel does not call itself
from easyasc.a2 import *


@kernel(mode="vec")
def rowmax(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        row_max(top, a)  #~ ERROR unknown-name: the name `row_max` is not defined
        y[0:64, 0:64] <<= a
    return y
