"""The right operand lies in L1 as [K, N], and the product takes it transposed."""
from easyasc.a2 import *

TM, TN, TK = 128, 128, 64


# a2lint: launch(M=256, N=128, K=128, a=half[256, 128], b=half[128, 128], c=float[256, 128])
@kernel()
def good_product_transposed(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var, K: Var):
    l1a = DBuff(DT.half, [TM, TK], Position.L1)
    l1b = DBuff(DT.half, [TK, TN], Position.L1)
    acc = Tensor(DT.float, [TM, TN], Position.L0C)
    turn = Var(0)
    with auto_sync():
        for tile in range(GetCubeIdx(), CeilDiv(M, TM), GetCubeNum()):
            m = Var(tile * TM)
            for k in range(0, K, TK):
                l1a[turn] <<= a[m:m + TM, k:k + TK]
                l1b[turn] <<= b[k:k + TK, 0:TN]
                matmul(acc, l1a[turn], l1b[turn].T, is_init=(k == 0))
                turn += 1
            c[m:m + TM, 0:TN] <<= acc
    return c
