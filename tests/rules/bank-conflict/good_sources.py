#~ pedantic
"""256 bytes keep the sources apart."""
from easyasc.a2 import *

# a2lint: launch(x=float[40, 8192], y=float[40, 8192], z=float[40, 8192])
@kernel(mode="vec")
def sums(x: GMTensor, y: GMTensor, z: GMTensor):
    a = Tensor(DT.float, [1, 8192], Position.UB)
    _apart = Tensor(DT.float, [1, 64], Position.UB)
    b = Tensor(DT.float, [1, 8192], Position.UB)
    c = Tensor(DT.float, [1, 8192], Position.UB)
    row = GetVecIdx()
    with auto_sync():
        a <<= x[row:row + 1, 0:8192]
        b <<= y[row:row + 1, 0:8192]
        for step in range(0, 16):
            add(c, a, b)
        z[row:row + 1, 0:8192] <<= c
    return z
