"""An A5 name imported into an A2 file."""
from easyasc.a2 import *
from easyasc.a5 import Reg  #~ ERROR facade-mix: `easyasc.a5` is imported beside `easyasc.a2`


@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub_x <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub_x

    return y
