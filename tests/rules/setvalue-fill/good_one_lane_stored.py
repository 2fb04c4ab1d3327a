"""63 undefined lanes go through the vector unit and are never stored."""
from easyasc.a2 import *


@kernel(mode="vec")
def seeds(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [1, 64], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    v = Var(1.0)
    u <<= x[0:1, 0:64]
    bar_all()
    v.GetValueFrom(u)
    v.SetValueTo(s)
    bar_all()
    adds(s, s, 1.0)
    bar_all()
    y[0:1, 0:1] <<= s[0:1, 0:1]
    return y
