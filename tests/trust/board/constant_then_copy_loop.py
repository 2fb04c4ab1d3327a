# Each tile of a loop is filled and loaded again, with bar_mte2 between the two.
from easyasc.a2 import *


@kernel(mode="cube")
def tiles(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    beat = Var(0)
    with auto_sync():
        weights <<= b[0:64, 0:64]
        for t in range(0, 4):
            set_constant_to_l1(rows[beat], 0.0)
            bar_mte2()
            rows[beat][0:40, 0:64] <<= a[t * 40:t * 40 + 40, 0:64]  #~ WARNING constant-under-copy
            matmul(product[beat], rows[beat], weights)
            if GetCubeIdx() == 0:
                y[t * 64:t * 64 + 64, 0:64] <<= product[beat]
            beat += 1
    return y
