"""The hardware leaves all lanes on after brcb(), the interpreter does not."""
from ascriptor.a2 import *


@kernel(mode="vec")
def masked(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    row = Tensor(f32, [1, 64], Position.UB)
    wide = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x
        dup(row, 2.0)
        set_mask_by_count(8)
        brcb(wide, row, dst_blk_stride=1, dst_rep_stride=8, repeat=8)  #~ WARNING mask-ignored: brcb
        mul(ub, ub, wide)  #~ WARNING mask-clobbered
        reset_mask()
        y[0:64, 0:64] <<= ub
    return y
