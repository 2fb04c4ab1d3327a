# a bfloat16 element has no conversion to a scalar on the device: reading one into a cell does not compile.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def gain(x: GM[f32, (8, 64)], g: GM[bf16, (1, 16)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    s = Var(0.0)
    with auto_sync():
        u <<= x
        s.GetValueFrom(g[0:1, 0:1])  #~ ERROR trace-error: does not compile
        muls(u, u, s)
        y <<= u
    return y


@kernel(mode="vec", block_dim=1)
def moved(x: GM[f32, (8, 64)], g: GM[bf16, (1, 16)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    h = Tensor(bf16, [1, 16], Position.UB)
    s = Var(0.0)
    with auto_sync():
        u <<= x
        h <<= g
        s <<= h[0:1, 0:1]  #~ ERROR trace-error: does not compile
        muls(u, u, s)
        y <<= u
    return y
