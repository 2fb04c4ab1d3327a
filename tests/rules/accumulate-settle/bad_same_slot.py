"""All iterations add to one accumulator, which a parameter picks."""
from easyasc.a2 import *


@kernel()
def alike(a: GMTensor, b: GMTensor, y: GMTensor, j: Var):
    l1_a = Tensor(DT.half, [32, 64], Position.L1)
    l1_b = Tensor(DT.half, [32, 64], Position.L1)
    l0c = QBuff(DT.float, [32, 32], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:32, 0:64]
        l1_b <<= b[0:32, 0:64]
        matmul(l0c[j], l1_a, l1_b, is_init=True)
        bar_m()
        for i in range(0, 4):
            matmul(l0c[j], l1_a, l1_b, is_init=False)  #~ WARNING accumulate-settle: adds to `l0c[j]` before
        y[0:32, 0:32] <<= l0c[j]
    return y
