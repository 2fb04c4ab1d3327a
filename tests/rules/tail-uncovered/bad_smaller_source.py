"""Half of the destination stays undefined."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_smaller_source(x: GMTensor, y: GMTensor):
    h = Tensor(DT.float, [32, 64], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        h <<= x[0:32, 0:64]
        exp(u, h)  #~ ERROR tail-uncovered: writes 2048 of 4096 elements of `u` [64,64]
        y[0:64, 0:64] <<= u
    return y
