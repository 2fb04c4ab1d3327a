"""Each side in its own scope."""
from ascriptor.a2 import *


@kernel()
def both(a: GM[f16, (64, 64)], x: GM[f32, (64, 64)], y: GM[f32, (64, 64)], z: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        with cube_scope():
            l1 <<= a
            matmul(l0c, l1, l1, m=64, n=64, k=64)
            y[0:64, 0:64] <<= l0c
        with vec_scope():
            ub <<= x
            exp(ub, ub)
            z[0:64, 0:64] <<= ub
    return y, z
