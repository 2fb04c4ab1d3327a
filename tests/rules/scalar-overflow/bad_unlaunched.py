"""Nothing launches it, and it wraps whatever the launch: a warning, since the number of rounds is guessed."""
from easyasc.a2 import *


@kernel(mode="vec")
def rows_of_a_byte(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [256, 64], Position.UB)
    rows = Var(200, DT.int8)
    with auto_sync():
        for m in range(GetVecIdx(), M, GetVecNum()):
            tile <<= x[0:256, 0:64]
            bar_all()
            dup(tile[0:rows, 0:64], 0.0)  #~ WARNING scalar-overflow: `int8(200)` is 200, wraps to -56 and is an address or size of dup()
            y[0:256, 0:64] <<= tile
            bar_all()
    return y
