"""Names that nothing binds; what depends on them is quiet."""
from easyasc.a2 import *

SCALE = 2.0


@func()
def finish(dst, src):
    muls(dst, src, SCALEE)  #~ ERROR unknown-name: the name `SCALEE` is not defined


@kernel(mode="vec")
def misspelt(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tenssor(DT.float, [64, 64], Position.UB)  #~ ERROR unknown-name: the name `Tenssor` is not defined
    c = Tensor(DT.flaot, [64, 64], Position.UB)  #~ ERROR unknown-name: DT has no `flaot`
    d = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sink():  #~ ERROR unknown-name: the name `auto_sink` is not defined
        a <<= x[0:64, 0:64]
        expp(b, a)  #~ ERROR unknown-name: the name `expp` is not defined
        finish(c, b)
        finish(a, c)
        cast(d, a, round_mode=RoundMode.TRUNK)  #~ ERROR unknown-name: RoundMode has no `TRUNK`
        y[0:64, 0:64] <<= outcome  #~ ERROR unknown-name: the name `outcome` is not defined
    return y


@kernel(mode="vec")
def only_barrier(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    a <<= x[0:64, 0:64]
    bar_al()  #~ ERROR unknown-name: the name `bar_al` is not defined
    exp(a, a)
    bar_al()
    y[0:64, 0:64] <<= a
    return y
