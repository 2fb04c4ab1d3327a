# In the first dialect a slice of L1 is no operand of matmul().
from easyasc.a2 import *


# a2lint: launch(a=half[128, 64], w=half[64, 64], y=float[64, 64])
@kernel(block_dim=1)
def rows(a: GMTensor, w: GMTensor, y: GMTensor):
    la = Tensor(DT.half, [128, 64], Position.L1)
    lw = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            la <<= a[0:128, 0:64]
            lw <<= w[0:64, 0:64]
            matmul(acc, la[64:128, 0:64], lw)  #~ ERROR l1-operand-slice: `la[64:128, 0:64]` is a slice
            y[0:64, 0:64] <<= acc
    return y
