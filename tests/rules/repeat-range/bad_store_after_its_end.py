"""The store begins after its end where M is small."""
from easyasc.a2 import *


# a2lint: launch(M=32, x=float[64, 64], y=float[64, 64])
@kernel(mode="vec")
def tail(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        a <<= x[0:8, 0:64]
        y[0:8, 40:M] <<= a  #~ ERROR repeat-range: a length is -8
    return y
