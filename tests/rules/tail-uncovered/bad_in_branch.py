"""The tile is loaded in front of the branch that writes past the slice."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_in_branch(x: GMTensor, y: GMTensor, n: Var):
    tile = Tensor(DT.float, [16, 40], Position.UB)
    with auto_sync():
        tile <<= x[0:16, 0:40]
        if n > 0:
            muls(tile[0:3, 0:40], tile[0:3, 0:40], 2.0)  #~ WARNING tail-uncovered: writes 8 elements past
        y[0:16, 0:40] <<= tile
    return y
