"""A tensor goes to GM that nothing wrote; the other one was meant."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_stored(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        exp(ub, ub)
        y[0:64, 0:64] <<= out  #~ ERROR uninitialized-read: ub_to_gm_pad() reads `out` [64,64] (its `src`)
    return y
