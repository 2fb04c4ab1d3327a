"""More rows than the load lays out."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, N: Var):
    l1_a = Tensor(DT.half, [128, 64], Position.L1)
    l1_b = DBuff(DT.half, [128, 64], Position.L1)
    acc = Tensor(DT.float, [128, 128], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:128, 0:64]
        for n0 in range(0, N, 128):
            valid_n = Min(128, N - n0)
            gm_to_l1_nd2nz(l1_b[0], b[n0:n0 + valid_n, 0:64], M_dst=32)
            matmul(acc, l1_a, l1_b[0], m=128, n=128, k=64)  #~ ERROR l1-operand-slice: matmul() with n=128 on `l1_b[0]`, whose load lays out 32 rows
            c[0:128, n0:n0 + valid_n] <<= acc[0:128, 0:valid_n]
    return c
