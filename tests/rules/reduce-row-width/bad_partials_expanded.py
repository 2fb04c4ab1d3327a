"""128 partial maxima, and the first 64 are expanded for the 64 rows."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_partials_expanded(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 128], Position.UB)
    top = Tensor(DT.float, [1, 128], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x[0:64, 0:128]
        cmax(top, tile)  #~ WARNING reduce-row-width: leaves 128 partial results for the 64 rows
        brcb(wide, top, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(tile[:, 0:64], tile[:, 0:64], wide)
        sub(tile[:, 64:128], tile[:, 64:128], wide)
        y[0:64, 0:128] <<= tile
    return y
