# a kernel of vec cores alone runs on no cube core: work that is shared out by their number is not done.
from ascriptor.a2 import *


@kernel(mode="vec")
def steps(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetCubeNum()):  #~ ERROR trace-error: GetCubeNum() is 0 in a kernel of mode="vec"
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def shares(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    rows = CeilDiv(M, GetCubeNum())  #~ WARNING undefined-arithmetic: divides
    with auto_sync():
        for row in range(GetVecIdx() * rows, Min(M, (GetVecIdx() + 1) * rows)):
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y
