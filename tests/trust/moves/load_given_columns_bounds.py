# A load of more given columns than its view has: it runs over the end of the rows, and of the last one out of the tensor.
#~ VERDICT bounds: open
from easyasc.a2 import *
# a2lint: launch(M=64, x=half[128, 64], y=float[64, 64])
@kernel()
def columns(x: GMTensor, y: GMTensor, M: Var):
    la = Tensor(DT.half, [64, 64], Position.L1)
    lb = Tensor(DT.half, [64, 64], Position.L1)
    c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            gm_to_l1_nd2nz(la, x[0:M, 32:64], N=64)
            lb <<= x[0:64, 0:64]
            matmul(c, la, lb, m=64, n=64, k=64)
            y[0:64, 0:64] <<= c
    return y
