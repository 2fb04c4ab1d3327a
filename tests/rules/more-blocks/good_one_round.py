"""All blocks run at one time."""
from easyasc.a2 import *


@kernel(mode="mix", block_dim=20)
def one_round(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= tile
    allvec_ready(0)
    allvec_wait(0)
    return y
