"""The symbol of an extent is a parameter."""
from ascriptor.a2 import *


# a2lint: launch(M=100)
@kernel(mode="vec")
def work(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            n = Min(64, M - m)
            u[0:n, 0:64] <<= x[m:m + n, 0:64]
            y[m:m + n, 0:64] <<= u[0:n, 0:64]
    return y
