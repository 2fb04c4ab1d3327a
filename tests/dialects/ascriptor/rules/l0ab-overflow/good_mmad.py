"""Without matmul() both memories are the author's."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (128, 128)], y: GM[f32, (128, 128)]):
    l1 = Tensor(f16, [128, 128], Position.L1)
    l0a = DBuff(f16, [128, 128], Position.L0A)
    l0b = DBuff(f16, [128, 128], Position.L0B)
    l0c = Tensor(f32, [128, 128], Position.L0C)
    with auto_sync():
        l1 <<= a
        l0a[0] <<= l1
        l0b[0] <<= l1
        mmad(l0c, l0a[0], l0b[0], M=128, N=128, K=128)
        y[0:128, 0:128] <<= l0c
    return y
