"""32 of 128 columns, with strides and a lane count that say so."""
from easyasc.a2 import *


@kernel(mode="vec")
def col_slice(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [16, 128], Position.UB)
    v = Tensor(DT.float, [16, 32], Position.UB)
    with auto_sync():
        u <<= x[0:16, 0:128]
        adds(v, u[:, 32:64], 1.0, repeat=16, dst_blk_stride=1, src_blk_stride=1, dst_rep_stride=4, src_rep_stride=16, count_per_rep=32)
        y[0:16, 0:32] <<= v
    return y
