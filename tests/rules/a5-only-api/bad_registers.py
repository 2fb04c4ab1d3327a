"""Register style, in a helper of the file."""
from easyasc.a2 import *


@vf()  #~ ERROR a5-only-api: vf
def negate(dst, src):
    reg = Reg(DT.float)
    reg <<= src
    dst <<= reg


@func()
def flip(dst, src):
    neg(dst, src)  #~ ERROR a5-only-api: neg


@kernel(mode="vec")
def negated(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub_x <<= x[0:64, 0:64]
        flip(ub_x, ub_x)
        flip(ub_x, ub_x)
        y[0:64, 0:64] <<= ub_x

    return y
