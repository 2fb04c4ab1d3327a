# Columns of L0C and L1: slices at fractals are right, those inside of one are not, as source and as destination.
from easyasc.a2 import *


# a2lint: launch(x=half[32, 64], y=half[64, 64], z=float[20, 16])
@kernel(block_dim=1)
def whole(x: GMTensor, y: GMTensor, z: GMTensor):
    la = Tensor(DT.half, [32, 64], Position.L1)
    lb = Tensor(DT.half, [64, 64], Position.L1)
    c = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            la <<= x[0:32, 0:64]
            lb <<= y[0:64, 0:64]
            matmul(c, la, lb, k=64)
            z[0:20, 0:16] <<= c[0:20, 48:64]
    return z


# a2lint: launch(x=half[32, 64], y=half[32, 64], z=half[32, 32])
@kernel(block_dim=1)
def republished(x: GMTensor, y: GMTensor, z: GMTensor):
    la = Tensor(DT.half, [32, 64], Position.L1)
    lb = Tensor(DT.half, [32, 64], Position.L1)
    lc = Tensor(DT.half, [32, 32], Position.L1)
    c = Tensor(DT.float, [32, 32], Position.L0C)
    if GetCubeIdx() == 0:
        la <<= x[0:32, 0:64]
        lb <<= y[0:32, 0:64]
        bar_all()
        matmul(c, la, lb, k=64)
        bar_all()
        lc[0:32, 8:24] <<= c[0:32, 0:16]  #~ ERROR operand-alignment: inside of a fractal
        bar_all()
        z[0:32, 0:32] <<= c
    return z


# a2lint: launch(x=half[32, 64], y=half[64, 64], z=float[32, 24])
@kernel(block_dim=1)
def steps(x: GMTensor, y: GMTensor, z: GMTensor):
    la = Tensor(DT.half, [32, 64], Position.L1)
    lb = Tensor(DT.half, [64, 64], Position.L1)
    c = Tensor(DT.float, [32, 64], Position.L0C)
    if GetCubeIdx() == 0:
        la <<= x[0:32, 0:64]
        lb <<= y[0:64, 0:64]
        bar_all()
        matmul(c, la, lb, k=64)
        bar_all()
        for n in range(0, 24, 8):
            z[0:32, n:n + 8] <<= c[0:32, n:n + 8]  #~ ERROR operand-alignment: inside of a fractal
    return z
