"""Steps of 64 leave 8 columns."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = Tensor(DT.bfloat16, [16, 208], Position.L1)
    l1_b = Tensor(DT.bfloat16, [16, 208], Position.L1)
    acc = Tensor(DT.float, [16, 16], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:208]
        l1_b <<= b[0:16, 0:208]
        matmul(acc, l1_a, l1_b, m=16, n=16, k=200, splitk=64)  #~ WARNING mmad-range: the last step of matmul() has k=8  #~ ERROR accumulate-settle: adds up 4 products
        c[0:16, 0:16] <<= acc
    return c
