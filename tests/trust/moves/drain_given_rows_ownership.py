# Two cores drain 128 given rows each to tiles of 64 rows: ownership must not be proved from the views.
#~ VERDICT ownership: open
from easyasc.a2 import *
# a2lint: launch(T=1, a=half[128, 64], c=float[128, 128])
@kernel()
def f(a: GMTensor, c: GMTensor, T: Var):
    la = DBuff(DT.half, [128, 64], Position.L1)
    lc = DBuff(DT.float, [128, 128], Position.L0C)
    i = Var(0)
    with auto_sync():
        for t in range(GetCubeIdx(), T, GetCubeNum()):
            la[i] <<= a[t * 128:t * 128 + 128, 0:64]
            matmul(lc[i], la[i], la[i])
            l0c_to_gm_nz2nd(c[t * 64:t * 64 + 64, 0:128], lc[i], M=128)
            i += 1
    return c
