"""The symbol of an extent is a parameter too, and its name begins in lower case there."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scale(n: GM[f32, ("N", 64)], y: GM[f32, ("N", 64)]):  #~ ERROR kernel-name: n
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= n[0:64, 0:64]
        muls(ub, ub, 2.0)
        y[0:64, 0:64] <<= ub
    return y
