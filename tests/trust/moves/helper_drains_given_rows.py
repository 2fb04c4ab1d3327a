# The given rows come through a helper and a constant of the module: they count all the same.
#~ VERDICT bounds: open
from easyasc.a2 import *

TILE = 128


@func()
def publish(dst, acc, rows):
    l0c_to_gm_nz2nd(dst, acc, M=rows, N=TILE)  #~ WARNING gm-out-of-bounds: for M = 127, which is not among the given launches


# a2lint: launch(M=128, a=half[128, 64], c=float[128, 128])
@kernel()
def product(a: GMTensor, c: GMTensor, M: Var):
    la = DBuff(DT.half, [TILE, 64], Position.L1)
    lc = DBuff(DT.float, [TILE, TILE], Position.L0C)
    i = Var(0)
    set_constant_to_l1(la[0], 0.0)
    set_constant_to_l1(la[1], 0.0)
    bar_all()
    with auto_sync():
        for t in range(GetCubeIdx(), CeilDiv(M, TILE), GetCubeNum()):
            m = Min(TILE, M - t * TILE)
            la[i] <<= a[t * TILE:t * TILE + m, 0:64]
            matmul(lc[i], la[i], la[i], m=TILE, n=TILE, k=64)
            publish(c[t * TILE:t * TILE + m, 0:TILE], lc[i], TILE)
            i += 1
    return c
