# a bfloat16 element is cast to float before it is read.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def gain(x: GM[f32, (8, 64)], g: GM[bf16, (1, 16)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    h = Tensor(bf16, [1, 16], Position.UB)
    w = Tensor(f32, [1, 16], Position.UB)
    s = Var(0.0)
    with auto_sync():
        u <<= x
        h <<= g
        cast(w, h, round_mode=RoundMode.NONE, count=16)
        s.GetValueFrom(w[0:1, 0:1])
        muls(u, u, s)
        y <<= u
    return y
