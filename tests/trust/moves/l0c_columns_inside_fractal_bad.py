# A column slice of L0C that starts inside of a fractal takes in values of the next row.
from easyasc.a2 import *
# a2lint: launch(x=half[32, 64], y=half[32, 64], z=float[20, 16])
@kernel(block_dim=1)
def f(x: GMTensor, y: GMTensor, z: GMTensor):
    la = Tensor(DT.half, [32, 64], Position.L1)
    lb = Tensor(DT.half, [32, 64], Position.L1)
    c = Tensor(DT.float, [32, 32], Position.L0C)
    if GetCubeIdx() == 0:
        la <<= x[0:32, 0:64]
        lb <<= y[0:32, 0:64]
        bar_all()
        matmul(c, la, lb, k=64)
        bar_all()
        z[0:20, 0:16] <<= c[0:20, 8:24]  #~ ERROR operand-alignment: inside of a fractal
    return z
