"""The sum of a tile that the launch fills with halves: the type is the cause."""
import torch

from easyasc.a2 import *


# a2lint: launch(x=half[8, 64], y=float[8, 64])
@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    s = Tensor(DT.float, [8, 1], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            ub <<= x[0:8, 0:64]  #~ ERROR move-dtype: which is float, and the launch gives `x` as half
            cadd(s, ub)
            y[0:8, 0:64] <<= ub
    return y
