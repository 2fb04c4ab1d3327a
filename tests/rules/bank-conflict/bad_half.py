#~ pedantic
"""The same with halfs."""
from easyasc.a2 import *

# a2lint: launch(x=half[40, 16384], y=half[40, 16384], z=half[40, 16384])
@kernel(mode="vec")
def products(x: GMTensor, y: GMTensor, z: GMTensor):
    a = Tensor(DT.half, [1, 16384], Position.UB)
    b = Tensor(DT.half, [1, 16384], Position.UB)
    c = Tensor(DT.half, [1, 16384], Position.UB)
    row = GetVecIdx()
    with auto_sync():
        a <<= x[row:row + 1, 0:16384]
        b <<= y[row:row + 1, 0:16384]
        for step in range(0, 16):
            mul(c, a, b)  #~ INFO bank-conflict: `c`, `a` and `b`
        z[row:row + 1, 0:16384] <<= c
    return z
