"""The first load takes the token that is there from the start; nothing gives it back."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    free = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for i in range(M // 8):
        free.wait()  #~ WARNING event-unbalanced: the event `free` is waited for more often than it is set in each iteration of the loop
        t <<= x[i * 8:i * 8 + 8, 0:64]
        loaded.set()
        loaded.wait()
        y[i * 8:i * 8 + 8, 0:64] <<= t
    return y
