"""Nothing counts up: one slot does all the work."""
from easyasc.a2 import *

@kernel(mode="vec")
def frozen(x: GMTensor, y: GMTensor, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for i in range(0, N):
            x_in[slot] <<= x[i * 64:i * 64 + 64, 0:64]  #~ WARNING slot-lifetime: `slot` never advances
            y[i * 64:i * 64 + 64, 0:64] <<= x_in[slot]
    return y
