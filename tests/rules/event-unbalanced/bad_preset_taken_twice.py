"""One token is there from the start, and two waits take it."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    free = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    free.wait()
    t <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    y[0:8, 0:64] <<= t
    free.wait()  #~ ERROR event-unbalanced: the event `free` has 1 more wait than sets: the last of them waits for ever
    t <<= x[8:16, 0:64]
    loaded.set()
    loaded.wait()
    y[8:16, 0:64] <<= t
    return y
