# One slot, no ring: a race under every reading, and an error.
import torch
from easyasc.a2 import *


@kernel()
def twice(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            tile <<= x[t * 8:t * 8 + 8, 0:64]  #~ ERROR race: nothing orders MTE3→MTE2
            muls(tile, tile, 2.0)
            y[t * 8:t * 8 + 8, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(twice, "", simulator=True)(torch.randn(640, 64), torch.zeros(640, 64), 80)
