"""k is one step at most."""
from easyasc.a2 import *


@kernel()
def split(a: GMTensor, b: GMTensor, y: GMTensor, K: Var):
    l1_a = Tensor(DT.bfloat16, [16, 256], Position.L1)
    l1_b = Tensor(DT.bfloat16, [64, 256], Position.L1)
    l0c = Tensor(DT.float, [16, 64], Position.L0C)
    with auto_sync():
        valid = Min(64, K)
        l1_a <<= a[0:16, 0:valid]
        l1_b <<= b[0:64, 0:valid]
        matmul(l0c, l1_a, l1_b, splitk=64, k=valid)
        y[0:16, 0:64] <<= l0c
    return y
