# The cubes of 32 blocks wait for each other in a helper.
from easyasc.a2 import *


@func()
def meet():
    allcube_ready(1)
    allcube_wait(1)  #~ WARNING more-blocks: in 32 blocks, and no device of the family has more than 24 cores


@kernel(mode="mix", block_dim=32)
def products(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    row = Var(GetCubeIdx() * 64)
    with auto_sync():
        rows <<= a[row:row + 64, 0:64]
        weights <<= b[0:64, 0:64]
        matmul(product, rows, weights)
        y[row:row + 64, 0:64] <<= product
    meet()
    return y
