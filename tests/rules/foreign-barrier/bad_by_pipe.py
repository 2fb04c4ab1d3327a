"""The pipe is an argument."""
from easyasc.a2 import *


@kernel(mode="vec")
def by_pipe(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    barrier(Pipe.FIX)  #~ ERROR foreign-barrier
    return y
