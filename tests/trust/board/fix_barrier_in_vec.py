# A barrier of FIX in a kernel for vec cores alone: the pipe is not there, and the lane never goes on.
from easyasc.a2 import *


@kernel(mode="vec")
def named(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    bar_fix()  #~ ERROR foreign-barrier: waits for FIX, which vec cores do not have
    return y


@kernel(mode="vec")
def by_pipe(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    barrier(Pipe.FIX)  #~ ERROR foreign-barrier
    return y


@kernel(mode="vec")
def of_its_own(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    bar_mte3()
    bar_all()
    return y


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
