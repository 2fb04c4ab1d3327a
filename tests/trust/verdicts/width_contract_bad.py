# A proof that needs D <= 64 says nothing of a contract without that limit, and contradicts one of 128 and more
from easyasc.a2 import *


# a2lint: assume(R >= 1, D >= 8)
@kernel(mode="vec")
def open_width(x: GMTensor, y: GMTensor, R: Var, D: Var):  #~ WARNING contract-too-wide: allows D = 65
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            row[n][0:1, 0:D] <<= x[r:r + 1, 0:D]
            y[r:r + 1, 0:D] <<= row[n][0:1, 0:D]
            n += 1
    return y


# a2lint: assume(R >= 1, D >= 128)
@kernel(mode="vec")
def too_wide(x: GMTensor, y: GMTensor, R: Var, D: Var):  #~ ERROR contract-too-wide: no launch that the contract allows
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            row[n][0:1, 0:D] <<= x[r:r + 1, 0:D]  #~ WARNING operand-overrun: 256 bytes outside
            y[r:r + 1, 0:D] <<= row[n][0:1, 0:D]  #~ WARNING operand-overrun: 256 bytes outside
            n += 1
    return y
