"""Contracts that cannot be used."""
from easyasc.a2 import *


# a2lint: assume(M >= 1
#~^ WARNING launch-unusable: this contract has no conditions in brackets
# a2lint: assume(M * M >= 1)  #~ WARNING launch-unusable: a product of two names is not read
# a2lint: assume(M >= 1 or M == 0)  #~ WARNING launch-unusable: `or` is where a comma should be
# a2lint: shapes(x=quarter[M, 64])  #~ WARNING launch-unusable: `quarter` is no element type
@kernel(mode="vec")
def unread(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: assume(rows >= 1)  #~ WARNING launch-unusable: has no parameter or extent `rows`
@kernel(mode="vec")
def unknown(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: shapes(x=float[M, 64], x=float[M, 32])  #~ WARNING launch-unusable: `x` is given twice
@kernel(mode="vec")
def twice(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: shapes(M=float[64])  #~ WARNING launch-unusable: `M` is no tensor, and gets a shape
@kernel(mode="vec")
def scalar(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: assume(x >= 1)  #~ WARNING launch-unusable: `x` is no integer parameter
@kernel(mode="vec")
def tensor(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: assume(M % 64 == 0)
# a2lint: assume(M < 64, M > 0)  #~ WARNING launch-unusable: no launch satisfies these conditions
@kernel(mode="vec")
def nobody(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


# a2lint: assume(M >= 1)  #~ WARNING launch-unusable: no kernel follows this contract
LAST = 1
