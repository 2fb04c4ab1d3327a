"""Launches that do not fit their kernel."""
from easyasc.a2 import *


# a2lint: launch(rows=100)  #~ WARNING launch-unusable: the kernel `copy` has no parameter `rows`
# a2lint: launch(M=100, M=200)  #~ WARNING launch-unusable: `M` is given twice
# a2lint: launch(x=float[100, 64])  #~ WARNING launch-unusable: `M` has no value
# a2lint: launch(M=100, x=float[N, 64])  #~ WARNING launch-unusable: `N` has no value
# a2lint: launch(M=100, x=64)  #~ WARNING launch-unusable: `x` is a tensor, and gets a number
# a2lint: launch(M=float[64])  #~ WARNING launch-unusable: `M` is a scalar, and gets a tensor
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y
