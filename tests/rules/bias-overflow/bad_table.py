"""256 columns do not fit both slots of a product."""
from easyasc.a2 import *


N = 256


@kernel()
def linear(a: GMTensor, w: GMTensor, bias: GMTensor, c: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_w = Tensor(DT.half, [N, 64], Position.L1)
    l1_bias = Tensor(DT.float, [1, N], Position.L1, layout=Layout.ND)
    l0c = Tensor(DT.float, [64, N], Position.L0C)
    with auto_sync():
        for m0 in range(GetCubeIdx() * 64, M, GetCubeNum() * 64):
            l1_a <<= a[m0:m0 + 64, 0:64]
            l1_w <<= w[0:N, 0:64]
            l1_bias <<= bias[0:1, 0:N]
            matmul(l0c, l1_a, l1_w, m=64, n=N, k=64, bias=l1_bias)  #~ ERROR bias-overflow: needs 1 KB; both slots of matmul() have 512 B
            c[m0:m0 + 64, 0:N] <<= l0c

    return c
