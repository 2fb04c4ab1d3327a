"""A helper that gets a finite value once and an infinite one once."""
from easyasc.a2 import *


@func()
def fill(t, value):
    dup(t, value)  #~ WARNING infinite-sentinel: dup() takes the sentinel inf


@kernel(mode="vec")
def bad_helper(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        fill(a, 0.0)
        fill(b, float("inf"))
        vmin(a, a, b)
        add(a, a, b)
        y[0:64, 0:64] <<= a
    return y
