"""Keywords, an expression as the reader, a helper, a slot of a ring, an alias of the facade."""
import easyasc.a2 as ea
from easyasc.a2 import DT, DBuff, GMTensor, Position as P, Tensor as T, Var, dup, kernel, sub


@ea.kernel(mode="vec")
def keywords(x: ea.GMTensor, y: ea.GMTensor):
    shift = ea.Tensor(dtype=ea.DT.float, shape=[64, 8], position=ea.Position.UB)
    t = ea.Tensor(ea.DT.float, [64, 64], ea.Position.UB)
    t <<= x[0:64, 0:64]
    ea.dup(dst=shift, value=1.0)  #~ ERROR dup-coverage: dup() writes 64 of 512 elements of `shift` [64,8]
    t <<= t - shift  #~ ERROR race #~ ERROR race
    y[0:64, 0:64] <<= t  #~ ERROR race
    return y


def fill(dst, value):
    dup(dst, value)  #~ ERROR dup-coverage: dup() writes 64 of 512 elements of `dst` [64,8]


@kernel(mode="vec")
def helper(x: GMTensor, y: GMTensor):
    shift = DBuff(DT.float, [64, 8], P.UB)
    t = T(DT.float, [64, 64], P.UB)
    t <<= x[0:64, 0:64]
    fill(shift[1], 2.0)
    sub(t, src1=t, src2=shift[1])  #~ ERROR race #~ ERROR race
    y[0:64, 0:64] <<= t  #~ ERROR race
    return y
