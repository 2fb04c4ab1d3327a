# mode="vec" is launched outside of the contract of flags between cores: lanes wait for lanes that have not started.
from easyasc.a2 import *


@kernel(mode="vec")
def vec_only(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= tile
    allvec_ready(2)  #~ ERROR vec-mode-collective: allvec_ready()
    allvec_wait(2)  #~ ERROR vec-mode-collective: allvec_wait()
    return y


@kernel(mode="mix")
def mixed(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= tile
    allvec_ready(2)
    allvec_wait(2)
    return y
