"""Launches that cannot be read."""
from easyasc.a2 import *


# a2lint: launch(M=100
#~^ WARNING launch-unusable: this launch has no arguments in brackets
# a2lint: launch(M=)  #~ WARNING launch-unusable: `M` has no value
# a2lint: launch(M=many)  #~ WARNING launch-unusable: `many` is neither a number nor a tensor
# a2lint: launch(M=100, x=double[M, 64])  #~ WARNING launch-unusable: `double` is no element type
# a2lint: launch(100)  #~ WARNING launch-unusable: `100` is not `NAME=VALUE`
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: launch(M=100)  #~ WARNING launch-unusable: no kernel follows this launch
LAST = 1
