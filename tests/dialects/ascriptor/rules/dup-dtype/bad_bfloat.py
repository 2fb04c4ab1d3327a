"""dup() takes f32, f16, i32 and u32."""
from ascriptor.a2 import *


@kernel(mode="vec")
def fill(y: GM[bf16, (64, 64)]):
    ub = Tensor(bf16, [64, 64], Position.UB)
    with auto_sync():
        dup(ub, 1.0)  #~ ERROR dup-dtype
        y[0:64, 0:64] <<= ub
    return y
