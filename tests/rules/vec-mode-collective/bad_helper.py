"""The wait stands in a helper."""
from easyasc.a2 import *


@func()
def rendezvous():
    allvec_ready(3)  #~ ERROR vec-mode-collective: allvec_ready()
    allvec_wait(3)  #~ ERROR vec-mode-collective: allvec_wait()


@kernel(mode="vec")
def partial_sums(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        ub <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= ub
    rendezvous()
    return y
