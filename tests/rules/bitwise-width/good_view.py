"""A 16-bit view of the same words."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    u = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        dup(u, 255)
        t <<= x[0:64, 0:64]
        vand(t.reinterpret(DT.int16), t.reinterpret(DT.int16), u.reinterpret(DT.int16))
        y[0:64, 0:64] <<= t
    return y
