"""The low bits of 32-bit words."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    u = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        dup(u, 255)
        t <<= x[0:64, 0:64]
        vand(t, t, u)  #~ WARNING bitwise-width: vand() on int elements; it is documented for 16-bit types
        y[0:64, 0:64] <<= t
    return y
