"""cgmax() writes eight values per repeat, not one: 512 into a row of 64."""
from ascriptor.a2 import *


@kernel(mode="vec")
def peaks(x: GM[f32, (64, 64)], s: GM[f32, (1, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        tile <<= x
        cgmax(peak, tile)  #~ ERROR reduce-overrun: cgmax
        s <<= peak
    return s
