"""The same as a call."""
from easyasc.a2 import *


@kernel()
def chained(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [128, 128], Position.L1)
    l1_b = Tensor(DT.half, [128, 128], Position.L1)
    l1_s = Tensor(DT.float, [128, 128], Position.L1)
    l0c = DBuff(DT.float, [128, 128], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:128, 0:128]
        l1_b <<= b[0:128, 0:128]
        matmul(l0c[0], l1_a, l1_b, m=128, n=128, k=128)
        l0c_to_l1(l1_s, l0c[0])  #~ ERROR l0c-to-l1-float
        y[0:128, 0:128] <<= l0c[0]

    return y
