"""The fill stands in a helper; the lanes it leaves are stored later."""
from easyasc.a2 import *


@func()
def clear(t):
    dup(t, 0.0)  #~ ERROR dup-coverage: dup() writes 32 of 256 elements of `t` [32,8] (repeat 4, block stride 0)


@kernel(mode="vec")
def bad_helper(x: GMTensor, y: GMTensor):
    state = Tensor(DT.float, [32, 8], Position.UB)
    with auto_sync():
        clear(state)
        y[0:32, 0:8] <<= state
    return y
