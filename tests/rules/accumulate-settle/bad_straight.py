"""Two products of four fractals, one behind the other."""
from easyasc.a2 import *

@kernel()
def straight(a: GMTensor, b: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.half, [16, 128], Position.L1)
    l1_b = Tensor(DT.half, [64, 128], Position.L1)
    l1_c = Tensor(DT.half, [16, 128], Position.L1)
    l0c = Tensor(DT.float, [16, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:128]
        l1_b <<= b[0:64, 0:128]
        l1_c <<= a[16:32, 0:128]
        matmul(l0c, l1_a, l1_b)
        matmul(l0c, l1_c, l1_b, is_init=False)  #~ WARNING accumulate-settle: 4 fractals
        y[0:16, 0:64] <<= l0c
    return y
