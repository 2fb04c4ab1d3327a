"""The direct drain to UB."""
from easyasc.a2 import *


@kernel()
def drain(a: GMTensor, y: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        matmul(l0c, l1_a, l1_a, m=64, n=64, k=64)
        l0c_to_ub(ub, l0c)  #~ ERROR a5-only-api: `l0c_to_ub` exists on A5 devices only
        y[0:64, 0:64] <<= ub

    return y
