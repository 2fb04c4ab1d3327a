"""From the second tile on, exp works on 8 lanes."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_back_edge(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for t in range(N):
            u <<= x[t * 64:t * 64 + 64, 0:64]  #~ WARNING race
            exp(u, u)
            set_mask(0, 0xFF)  #~ WARNING mask-leak: the mask that set_mask() sets reaches the next iteration
            adds(u, u, 1.0)
            y[t * 64:t * 64 + 64, 0:64] <<= u
        reset_mask()
    return y
