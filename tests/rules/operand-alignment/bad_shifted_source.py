"""A window that starts half a block late."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_shifted_source(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:1, 0:128]
        adds(out, ub[0:1, 4:68], 1.0)  #~ ERROR operand-alignment: `ub[0:1, 4:68]` [1,64] starts 16 bytes past a 32-byte border
        y[0:1, 0:64] <<= out
    return y
