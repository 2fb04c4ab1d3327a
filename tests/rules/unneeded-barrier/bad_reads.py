#~ pedantic
"""Both instructions only read `a`: nothing is to be ordered between them."""
from easyasc.a2 import *

# a2lint: launch(x=float[40, 1024], y=float[40, 2048])
@kernel(mode="vec")
def two_results(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 1024], Position.UB)
    b = Tensor(DT.float, [1, 1024], Position.UB)
    c = Tensor(DT.float, [1, 1024], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    computed = SEvent(Pipe.V, Pipe.MTE3)
    row = GetVecIdx()
    a <<= x[row:row + 1, 0:1024]
    loaded.set()
    loaded.wait()
    for step in range(0, 64):
        muls(b, a, 0.5)
        bar_v()  #~ INFO unneeded-barrier: order is proved without bar_v()
        adds(c, a, 0.5)
        bar_v()
    computed.set()
    computed.wait()
    y[row:row + 1, 0:1024] <<= b
    y[row:row + 1, 1024:2048] <<= c
    return y
