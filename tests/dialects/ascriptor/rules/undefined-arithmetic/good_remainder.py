"""A remainder by 2."""
from ascriptor.a2 import *


# a2lint: launch(H=2, G=2, R=4)
@kernel(mode="vec", block_dim=1)
def tagged(x: GM[f32, ("R", 64)], y: GM[f32, ("R", 64)], H: i32, G: i32):
    u = DBuff(f32, [1, 64], Position.UB)
    b = Var(0)
    with auto_sync():
        for r in range(R):
            tag = (r + H) % G * 1.0
            u[b] <<= x[r:r + 1, 0:64]
            adds(u[b], u[b], tag)
            y[r:r + 1, 0:64] <<= u[b]
            b += 1
    return y
