# The same with four slots, a helper in between and no launch: guessed sizes have to be long enough to come round.
from easyasc.a2 import *


def scale(tile, factor):
    muls(tile, tile, factor)
    adds(tile, tile, 1.0)


@kernel()
def affine(x: GMTensor, y: GMTensor, rows: Var):
    q = QBuff(DT.float, [4, 64], Position.UB)
    at = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 4, rows, GetVecNum() * 4):
            q[at] <<= x[r:r + 4, 0:64]  #~ WARNING race: nothing orders MTE3→MTE2 where `auto_sync` counts
            scale(q[at], 0.5)
            y[r:r + 4, 0:64] <<= q[at]
            at += 1
    return y
