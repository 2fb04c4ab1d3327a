# A launch of vec cores alone that loads L1: a device ended it with 507035.
from easyasc.a2 import *


@kernel(mode="vec")
def warm(x: GMTensor, y: GMTensor):
    matrix = Tensor(DT.half, [64, 64], Position.L1)  #~ WARNING unused-buffer: never read
    tile = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        matrix <<= x[0:64, 0:64]  #~ WARNING wrong-side: stands in a kernel of mode="vec"
        tile <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= tile
    return y


@kernel(mode="mix")
def mixed(x: GMTensor, y: GMTensor, z: GMTensor):
    matrix = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    tile = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        matrix <<= x[0:64, 0:64]
        matmul(product, matrix, matrix)
        if GetCubeIdx() == 0:
            z[0:64, 0:64] <<= product
        tile <<= x[0:64, 0:64]
        if GetVecIdx() == 0:
            y[0:64, 0:64] <<= tile
    return y, z
