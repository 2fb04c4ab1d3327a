"""The tokens that are there from the start are taken once each, by one loop and by one wait."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor):
    t = DBuff(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    free = DEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    once = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    once.wait()
    for i in range(2):
        free.wait()
        t[i] <<= x[i * 8:i * 8 + 8, 0:64]
        loaded.set()
        loaded.wait()
        y[i * 8:i * 8 + 8, 0:64] <<= t[i]
    return y
