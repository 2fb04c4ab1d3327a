"""Eight results per row."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_blocks(x: GMTensor, y: GMTensor):
    s = Tensor(DT.float, [1, 64], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cgadd(s, u)  #~ ERROR reduce-overrun: writes 512 results (64 repeats, 8 each) into `s` [1,64], over `u`
        y[0:64, 0:64] <<= u  #~ ERROR race: nothing orders MTE2→MTE3
    return y
