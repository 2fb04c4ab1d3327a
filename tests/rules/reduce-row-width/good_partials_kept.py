"""Both partial maxima of each row are expanded, or combined first."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_partials_kept(x: GMTensor, y: GMTensor, z: GMTensor):
    tile = Tensor(DT.float, [64, 128], Position.UB)
    fold = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [1, 128], Position.UB)
    wide = Tensor(DT.float, [128, 8], Position.UB)
    row = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x[0:64, 0:128]
        cmax(top, tile)
        brcb(wide, top, dst_blk_stride=1, dst_rep_stride=8, repeat=16)
        y[0:128, 0:8] <<= wide
        vmax(fold, tile[:, 0:64], tile[:, 64:128])
        cmax(top, fold)
        brcb(row, top, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        z[0:64, 0:8] <<= row
    return y, z
