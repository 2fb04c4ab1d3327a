"""A helper stores the second output."""
from easyasc.a2 import *


@func()
def store(out, tile, row):
    out[row:row + 64, 0:64] <<= tile


@kernel(mode="vec")
def copies(x: GMTensor, y: GMTensor, z: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        store(y, ub, 0)
        store(z, ub, 64)
    return y, z
