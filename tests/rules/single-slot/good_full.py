#~ pedantic
"""A second slot does not fit into UB."""
from easyasc.a2 import *

# a2lint: launch(N=3, x=float[36000, 64], y=float[36000, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
    loaded = Tensor(DT.float, [300, 64], Position.UB)
    result = Tensor(DT.float, [300, 64], Position.UB)
    first = GetVecIdx() * N * 300
    with auto_sync():
        for i in range(0, N):
            at = first + i * 300
            loaded <<= x[at:at + 300, 0:64]
            exp(result, loaded, count=19200)
            y[at:at + 300, 0:64] <<= result
    return y
