"""More rows than the tensor has."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        gm_to_l1_nd2nz(l1_a, a[0:16, 0:64], M_dst=17)  #~ ERROR l1-backing-short: lays out 32 rows of 64 in NZ
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=16, n=64, k=64)
        c[0:16, 0:64] <<= acc[0:16, 0:64]
    return c
