"""Hardware resets the mask in brcb."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_broadcast(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, 0xFF)
        brcb(wide, u, dst_blk_stride=1, dst_rep_stride=8, repeat=8)  #~ WARNING mask-ignored: brcb()
        sub(u, u, wide)  #~ WARNING mask-clobbered: sub() may run on all lanes
        reset_mask()
        y[0:64, 0:64] <<= u
    return y
