"""After reset_cache() the second half lies over the first."""
from easyasc.a2 import *


@kernel(mode="vec")
def twice(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [256, 128], Position.UB)
    with auto_sync():
        ub_x[0:128, 0:128] <<= x[0:128, 0:128]
        y[0:128, 0:128] <<= ub_x[0:128, 0:128]
    bar_all()
    reset_cache()
    ub_z = Tensor(DT.float, [256, 128], Position.UB)
    with auto_sync():
        ub_z[0:128, 0:128] <<= x[128:256, 0:128]
        y[128:256, 0:128] <<= ub_z[0:128, 0:128]

    return y
