# A given gap moves rows: lanes that store every second row meet where their views do not; others do not meet.
#~ VERDICT meet.ownership: open
#~ VERDICT apart.bounds: holds
from ascriptor.a2 import *


# a2lint: launch(T=1, M=7)
@kernel(mode="vec")
def meet(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], T: i32):
    t = DBuff(f32, [4, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), T, GetVecNum()):
            t[i] <<= x[r * 4:r * 4 + 4, 0:64]
            ub_to_gm_pad(y[r * 4:r * 4 + 4, 0:64], t[i], dst_stride_element=64)  #~ ERROR output-hole: 192 of the 448 elements
            i += 1
    return y


@kernel(mode="vec")
def apart(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    t = DBuff(f32, [4, 64], Position.UB)
    u = DBuff(f32, [4, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), 8, GetVecNum()):
            t[i] <<= x[r * 8:r * 8 + 4, 0:64]
            u[i] <<= x[r * 8 + 4:r * 8 + 8, 0:64]
            ub_to_gm_pad(y[r * 8:r * 8 + 4, 0:64], t[i], dst_stride_element=64)
            ub_to_gm_pad(y[r * 8 + 1:r * 8 + 5, 0:64], u[i], dst_stride_element=64)
            i += 1
    return y
