# what the facade's matmul is told wrong is told of the shortcut as well: half does not accumulate.
from easyasc.a2 import *
from easyasc.shortcuts.matmul import matmul as times


@kernel()
def gemm(x: GMTensor, y: GMTensor, z: GMTensor):
    a = Tensor(DT.half, [64, 64], Position.L1)
    b = Tensor(DT.half, [64, 64], Position.L1)
    c = Tensor(DT.half, [64, 64], Position.L0C)
    with auto_sync():
        a <<= x[0:64, 0:64]
        b <<= y[0:64, 0:64]
        times(c, a, b)  #~ ERROR accumulator-dtype
        z[0:64, 0:64] <<= c
    return z
