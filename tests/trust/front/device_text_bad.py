# a lambda and an f-string are Python's: the compiler refuses one that names what the device computes.
from ascriptor.a2 import *


@kernel(mode="vec")
def in_a_text(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            name = f"row {row}"  #~ ERROR trace-error: an f-string cannot hold what the device computes
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def in_a_lambda(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            after = lambda count: row + count  #~ ERROR trace-error: a lambda cannot name `row`
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def calls_the_device(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            lane = lambda: GetVecIdx()  #~ ERROR trace-error: a lambda cannot name `GetVecIdx`
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y
