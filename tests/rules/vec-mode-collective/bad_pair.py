"""All lanes wait for each other."""
from easyasc.a2 import *


@kernel(mode="vec")
def partial_sums(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        ub <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= ub
    allvec_ready(0)  #~ ERROR vec-mode-collective: allvec_ready() in a kernel of mode="vec"
    allvec_wait(0)  #~ ERROR vec-mode-collective: allvec_wait()
    return y
