# A race that simulation confirms is an error, whichever rule names the cause: the counter stands still, and the load
# overwrites what the store still reads.
import torch
from easyasc.a2 import *


@kernel()
def twice(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: refuted
    tile = DBuff(DT.float, [8, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            tile[c] <<= x[t * 8:t * 8 + 8, 0:64]  #~ ERROR slot-lifetime: never advances
            muls(tile[c], tile[c], 2.0)
            y[t * 8:t * 8 + 8, 0:64] <<= tile[c]
    return y


if __name__ == "__main__":
    OpExec(twice, "", simulator=True)(torch.randn(640, 64), torch.zeros(640, 64), 80)
