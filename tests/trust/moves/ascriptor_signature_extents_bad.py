# Extents in the signature are given without a launch, beside a parameter that nothing gives.
from ascriptor.a2 import *
# all extents are numbers; the scalar g has no launch
@kernel(mode="vec", block_dim=1)
def k(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], g: f32):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[4:12, 0:64]  #~ ERROR gm-out-of-bounds: `x` has 8 rows; gm_to_ub_pad() reads 4..12
        muls(u, u, g)
        y[0:8, 0:64] <<= u
    return y
