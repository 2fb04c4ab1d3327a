"""Four slices of 64 columns against one block per row."""
from easyasc.a2 import *


@kernel()
def wn(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 256], Position.UB)
    m = Tensor(DT.float, [64, 1], Position.UB)
    w = Tensor(DT.float, [64, 8], Position.UB)
    f = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:256]
        vmax(f, t[:, 0:64], t[:, 64:128])
        vmax(f, f, t[:, 128:192])
        vmax(f, f, t[:, 192:256])
        cmax(m, f)
        brcb(w, m, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        for lo in unroll(0, 256, 64):
            sub(t[:, lo:lo + 64], t[:, lo:lo + 64], w)
        y[0:64, 0:256] <<= t
    return y
