# `easyasc.shortcuts.matmul` is the facade's matmul: a kernel that uses it is read whole.
from easyasc.a2 import *
from easyasc.shortcuts.matmul import matmul
import easyasc.shortcuts.matmul as product


@kernel()
def gemm(x: GMTensor, y: GMTensor, z: GMTensor, M: Var):
    a = DBuff(DT.half, [64, 64], Position.L1)
    b = DBuff(DT.half, [64, 64], Position.L1)
    c = DBuff(DT.float, [64, 64], Position.L0C)
    n = Var(0)
    with auto_sync():
        for t in range(GetCubeIdx(), M, GetCubeNum()):
            a[n] <<= x[t * 64 : t * 64 + 64, 0:64]
            b[n] <<= y[0:64, 0:64]
            matmul(c[n], a[n], b[n])
            z[t * 64 : t * 64 + 64, 0:64] <<= c[n]
            n += 1
    return z


@kernel()
def halves(x: GMTensor, y: GMTensor, z: GMTensor, M: Var):
    a = DBuff(DT.half, [64, 64], Position.L1)
    b = DBuff(DT.half, [64, 64], Position.L1)
    c = DBuff(DT.float, [64, 64], Position.L0C)
    n = Var(0)
    with auto_sync():
        for t in range(GetCubeIdx(), M, GetCubeNum()):
            a[n] <<= x[t * 64 : t * 64 + 64, 0:64]
            b[n] <<= y[0:64, 0:64]
            product.matmul(c[n], a[n], b[n], splitk=32)
            z[t * 64 : t * 64 + 64, 0:64] <<= c[n]
            n += 1
    return z
