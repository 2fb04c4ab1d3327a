# mode="vec" is launched outside of the contract of flags between cores: lanes wait for lanes that have not started.
from ascriptor.a2 import *


@kernel(mode="vec")
def vec_only(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, :]
        y[lane * 8:lane * 8 + 8, :] <<= tile
    allvec_ready(2)  #~ ERROR vec-mode-collective: allvec_ready()
    allvec_wait(2)  #~ ERROR vec-mode-collective: allvec_wait()
    return y


@kernel(mode="mix")
def mixed(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, :]
        y[lane * 8:lane * 8 + 8, :] <<= tile
    allvec_ready(2)
    allvec_wait(2)
    return y
