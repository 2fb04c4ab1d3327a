"""The number of steps depends on K."""
from easyasc.a2 import *


@kernel()
def split(a: GMTensor, b: GMTensor, y: GMTensor, K: Var):
    l1_a = Tensor(DT.bfloat16, [32, 256], Position.L1)
    l1_b = Tensor(DT.bfloat16, [64, 256], Position.L1)
    l0c = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        valid = Min(256, K)
        l1_a <<= a[0:32, 0:valid]
        l1_b <<= b[0:64, 0:valid]
        matmul(l0c, l1_a, l1_b, splitk=64, k=valid)  #~ ERROR accumulate-settle: with splitk=64 adds up products in `l0c`
        y[0:32, 0:64] <<= l0c
    return y
