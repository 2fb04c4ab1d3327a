# Buffers beyond the memories of the device: a functional simulator has no limit, the device overwrites or faults.
from easyasc.a2 import *


@kernel(mode="cube")
def l0c(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [128, 64], Position.L1)
    columns = Tensor(DT.half, [192, 64], Position.L1)
    product = DBuff(DT.float, [128, 192], Position.L0C)  #~ ERROR l0c-overflow: needs 192 KB; L0C has 128 KB
    with auto_sync():
        rows <<= a[0:128, 0:64]
        columns <<= b[0:192, 0:64]
        matmul(product[0], rows, columns)
        y[0:128, 0:192] <<= product[0]
    return y


@kernel(mode="vec")
def ub(x: GMTensor, y: GMTensor):
    tile = QBuff(DT.float, [64, 208], Position.UB)  #~ ERROR ub-overflow: needs 208 KB; UB has 192 KB
    with auto_sync():
        tile[0] <<= x[0:64, 0:208]
        y[0:64, 0:208] <<= tile[0]
    return y


@kernel(mode="vec")
def to_the_brim(x: GMTensor, y: GMTensor):
    tile = QBuff(DT.float, [64, 192], Position.UB)
    with auto_sync():
        tile[0] <<= x[0:64, 0:192]
        y[0:64, 0:192] <<= tile[0]
    return y
