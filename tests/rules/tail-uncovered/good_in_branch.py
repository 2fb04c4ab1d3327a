"""Rows behind the slice are not used after the branch, or the count is exact."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_in_branch(x: GMTensor, y: GMTensor, z: GMTensor, n: Var):
    tile = Tensor(DT.float, [16, 40], Position.UB)
    other = Tensor(DT.float, [16, 40], Position.UB)
    with auto_sync():
        tile <<= x[0:16, 0:40]
        other <<= x[0:16, 0:40]
        if n > 0:
            muls(tile[0:3, 0:40], tile[0:3, 0:40], 2.0)
            muls(other[0:3, 0:40], other[0:3, 0:40], 2.0, count=120)
        y[0:3, 0:40] <<= tile[0:3, 0:40]
        z[0:16, 0:40] <<= other
    return y, z
