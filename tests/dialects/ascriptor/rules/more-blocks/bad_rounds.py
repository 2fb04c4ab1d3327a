"""48 blocks wait for each other."""
from ascriptor.a2 import *


@kernel(mode="mix", block_dim=48)
def rounds(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, :]
        y[lane * 8:lane * 8 + 8, :] <<= tile
    allvec_ready(0)
    allvec_wait(0)  #~ WARNING more-blocks: 48 blocks, and no device of the family has more than 24 cores
    return y
