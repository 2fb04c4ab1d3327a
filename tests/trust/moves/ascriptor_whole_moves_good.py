# Whole tensors are moved like the slice of all their elements: everything but ownership is proved.
#~ VERDICT operands: proved
#~ VERDICT initialised: proved
#~ VERDICT bounds: proved
from ascriptor.a2 import *

@kernel(mode="vec", block_dim=1)
def big(x: GM[f32, (256, 64)], y: GM[f32, (256, 64)]):
    u = Tensor(f32, [256, 64], Position.UB)
    with auto_sync():
        u <<= x
        adds(u, u, 1.0, count=256 * 64)
        y <<= u
    return y
