"""192 KB of UB, 128 KB of L0C and 512 KB of L1 are all there is, and enough."""
from ascriptor.a2 import *


@kernel()
def full(a: GM[f16, (128, 128)], x: GM[f32, (192, 64)], y: GM[f32, (192, 64)], z: GM[f32, (128, 128)]):
    l1 = QBuff(f16, [128, 512], Position.L1)
    l0c = DBuff(f32, [128, 128], Position.L0C)
    ub = QBuff(f32, [192, 64], Position.UB)
    with auto_sync():
        l1[0][:, 0:128] <<= a
        matmul(l0c[0], l1[0], l1[0], m=128, n=128, k=128)
        z[0:128, 0:128] <<= l0c[0]
        if GetVecIdx() == 0:
            ub[0] <<= x
            exp(ub[1], ub[0])
            y[0:192, 0:64] <<= ub[1]
    return y, z
