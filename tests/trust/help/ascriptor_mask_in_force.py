# Undefined lanes come from a mask that is still set: the message names it, not the tensor that nothing filled.
from ascriptor.a2 import *


# a2lint: launch(x=f32[640, 64], y=f32[640, 64])
@kernel(mode="vec", block_dim=4)
def shifted_exp(x: GM[f32, (640, 64)], y: GM[f32, (640, 64)]):
    a = Tensor(f32, [64, 64], Position.UB)
    b = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            a <<= x[tile * 64:tile * 64 + 64, 0:64]
            adds(a, a, 1.0)
            set_mask(0, 0xFF)  #~ WARNING mask-leak
            exp(b, a)
            y[tile * 64:tile * 64 + 64, 0:64] <<= b  #~ ERROR uninitialized-read: exp() writes only the lanes of the mask of set_mask() in line 14
    return y
