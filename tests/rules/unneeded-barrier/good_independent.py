#~ pedantic
"""The second sum waits for the first of the iteration before, at the barrier that is left."""
from easyasc.a2 import *

# a2lint: launch(x=float[40, 2048], y=float[40, 2048])
@kernel(mode="vec")
def two_halves(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 1024], Position.UB)
    b = Tensor(DT.float, [1, 1024], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    computed = SEvent(Pipe.V, Pipe.MTE3)
    row = GetVecIdx()
    a <<= x[row:row + 1, 0:1024]
    b <<= x[row:row + 1, 1024:2048]
    loaded.set()
    loaded.wait()
    for step in range(0, 64):
        adds(a, a, 0.5)
        adds(b, b, 0.5)
        bar_v()
    computed.set()
    computed.wait()
    y[row:row + 1, 0:1024] <<= a
    y[row:row + 1, 1024:2048] <<= b
    return y
