# The first product of a sum over two loops is not the first of the inner one: `is_init=(k == 0)` would start it anew
from easyasc.a2 import *


# a2lint: launch(a=half[64, 128], b=half[64, 128], c=float[64, 64])
@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            for half in range(0, 2):
                for k in range(half * 64, half * 64 + 64, 64):
                    l1_a <<= a[0:64, k:k + 64]
                    l1_b <<= b[0:64, k:k + 64]
                    matmul(l0c, l1_a, l1_b, is_init=False)  #~ ERROR unseeded-accumulation: adds to `l0c`
            c[0:64, 0:64] <<= l0c
    return c
