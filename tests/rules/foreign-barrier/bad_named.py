"""FIX is a pipe of the cube."""
from easyasc.a2 import *


@kernel(mode="vec")
def named(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    bar_fix()  #~ ERROR foreign-barrier: waits for FIX, which vec cores do not have
    return y
