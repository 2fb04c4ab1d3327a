#~ pedantic
"""Each barrier is for what the next instruction reads."""
from easyasc.a2 import *

# a2lint: launch(x=float[40, 1024], y=float[40, 1024])
@kernel(mode="vec")
def chain(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 1024], Position.UB)
    b = Tensor(DT.float, [1, 1024], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    computed = SEvent(Pipe.V, Pipe.MTE3)
    row = GetVecIdx()
    a <<= x[row:row + 1, 0:1024]
    loaded.set()
    loaded.wait()
    for step in range(0, 64):
        adds(b, a, 0.5)
        bar_v()
        adds(a, b, 0.5)
        bar_v()
    computed.set()
    computed.wait()
    y[row:row + 1, 0:1024] <<= a
    return y
