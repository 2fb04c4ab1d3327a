# A running maximum that starts at minus infinity and is subtracted: where nothing was larger, the difference is NaN.
from easyasc.a2 import *


@kernel(mode="vec")
def from_infinity(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    top = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        dup(top, float("-inf"))  #~ WARNING infinite-sentinel: takes the sentinel -inf
        tile <<= x[0:8, 0:64]
        vmax(top, top, tile)
        sub(tile, tile, top)
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def from_the_least_float(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    top = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        dup(top, -3.4028235e38)
        tile <<= x[0:8, 0:64]
        vmax(top, top, tile)
        sub(tile, tile, top)
        y[0:8, 0:64] <<= tile
    return y
