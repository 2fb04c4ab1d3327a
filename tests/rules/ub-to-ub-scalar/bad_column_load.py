"""A column of GM is loaded into [64, 1]: each row arrives as a block."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_column_load(x: GMTensor, y: GMTensor):
    scale = Tensor(DT.float, [64, 1], Position.UB)
    after = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        scale <<= x[0:64, 3:4]  #~ ERROR ub-to-ub-scalar: gm_to_ub_pad() writes 2048 bytes for `scale` [64,1]
        muls(after, scale, 2.0)
        y[0:64] <<= after
    return y
