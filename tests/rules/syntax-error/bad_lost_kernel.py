"""What does not parse takes kernels and parameters with it: no launch or contract is wrong for that."""
from easyasc.a2 import *


# a2lint: launch(M=128)
# a2lint: assume(M >= 1)
@kernel(mode="vec")
def signature(x: GMTensor, y GMTensor, M: Var):  #~ ERROR syntax-error: this does not parse
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        exp(a, a)
        y[0:64, 0:64] <<= a
    return y


# a2lint: launch(M=128)
@kernel(mode="vec")  #~ ERROR syntax-error: this does not parse
def word(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        fore m in range(0, M, 64):
            a <<= x[m:m + 64, 0:64]
            y[m:m + 64, 0:64] <<= a
    return y
