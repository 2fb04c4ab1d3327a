"""c = a @ b, the sum over K in steps of 32."""
from easyasc.a2 import *

TILE = 64
STEP = 32


# a2lint: launch(M=70, N=64, K=96, a=half[70, 96], b=half[96, 64], c=float[70, 64])
@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var, K: Var):
    l1_a = DBuff(DT.half, [TILE, STEP], Position.L1)
    l1_b = DBuff(DT.half, [STEP, TILE], Position.L1)
    l0c = DBuff(DT.float, [TILE, TILE], Position.L0C)
    slot = Var(0)
    done = Var(0)
    with auto_sync():
        for tile in range(GetCubeIdx(), CeilDiv(M, TILE), GetCubeNum()):
            row = Var(tile * TILE)
            rows = Min(TILE, M - row)
            for k in range(0, K, STEP):
                l1_a[slot] <<= a[row:row + rows, k:k + STEP]
                l1_b[slot] <<= b[k:k + STEP, 0:TILE]
                matmul(l0c[done], l1_a[slot], l1_b[slot].T, is_init=(k == 0), m=TILE, n=TILE, k=STEP)
                slot += 1
            c[row:row + rows, 0:TILE] <<= l0c[done][0:rows, :]
            done += 1
    return c
