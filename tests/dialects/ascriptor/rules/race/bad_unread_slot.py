"""The other slot of `rhs` is loaded again and again, and read by nobody that the loads would wait for."""
from ascriptor.a2 import *


@kernel(mode="cube")
def products(a: GM[f16, (256, 64)], b: GM[f16, (256, 64)], y: GM[f32, (256, 64)]):
    lhs = DBuff(f16, [64, 64], Position.L1)
    rhs = DBuff(f16, [64, 64], Position.L1)
    l0c = DBuff(f32, [64, 64], Position.L0C)
    beat = Var(0)
    with auto_sync():
        for row in range(0, 256, 64):
            lhs[beat] <<= a[row:row + 64, 0:64]
            rhs[beat] <<= b[row:row + 64, 0:64]  #~ ERROR race: no bar_mte2 orders them
            matmul(l0c[beat], lhs[beat], rhs[0], m=64, n=64, k=64)
            y[row:row + 64, 0:64] <<= l0c[beat]
            beat += 1
    return y
