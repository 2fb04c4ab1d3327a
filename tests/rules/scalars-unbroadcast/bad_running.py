"""The running maximum is packed as well."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_running(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    run = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(run, -1.0e30)
        cmax(s, u)
        vmax(run, run, s)
        sub(u, u, run)  #~ ERROR scalars-unbroadcast: `run`
        y[0:64, 0:64] <<= u
    return y
