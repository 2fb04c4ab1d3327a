"""A tail as a slice of the tile."""
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
            l1_b[0][0:valid_n, 0:64] <<= b[n0:n0 + valid_n, 0:64]
            matmul(acc, l1_a, l1_b[0][0:valid_n, 0:64])  #~ ERROR l1-operand-slice: matmul() takes whole L1 tiles; `l1_b[0][0:valid_n, 0:64]` is a slice
            c[0:128, n0:n0 + valid_n] <<= acc[0:128, 0:valid_n]
    return c
