"""The rows of the tensor itself."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [31, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:31, 0:64]  #~ ERROR l1-backing-short: `l1_a` [31,64] has 1984 elements; gm_to_l1_nd2nz() lays out 32 rows of 64 in NZ, 2048 elements
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=31, n=64, k=64)
        c[0:31, 0:64] <<= acc[0:31, 0:64]
    return c
