"""The cube of a mixed kernel has work on FIX."""
from easyasc.a2 import *


@kernel()
def mixed(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            rows <<= a[0:64, 0:64]
            weights <<= b[0:64, 0:64]
            matmul(product, rows, weights)
            y[0:64, 0:64] <<= product
    bar_fix()
    return y
