"""Groups first, then rows."""
from ascriptor.a2 import *


@kernel(mode="vec")
def peaks(x: GM[f32, (64, 64)], s: GM[f32, (1, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    group = Tensor(f32, [8, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        tile <<= x
        cgmax(group, tile)
        cgmax(peak, group)
        s <<= peak
    return s
