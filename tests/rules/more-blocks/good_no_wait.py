"""Blocks that wait for nothing may run in rounds."""
from easyasc.a2 import *


@kernel(mode="vec", block_dim=80)
def no_wait(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= tile
    return y
