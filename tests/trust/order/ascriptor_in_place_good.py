# Good: Ascriptor's handshakes are about slots and about all pairs of pipes; readings of easyasc are no matter here.
from ascriptor.a2 import *


@kernel(mode="vec")
def twice(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT order: holds
    tile = DBuff(f32, [1, 64], Position.UB)
    step = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            tile[step] <<= x[r:r + 1, 0:64]
            muls(tile[step], tile[step], 2.0)
            y[r:r + 1, 0:64] <<= tile[step]
            step += 2
    return y
