# the compiler refuses to divide a device integer by a 0 that it knows, whether the result is used or not.
from ascriptor.a2 import *

TILES = 0


@kernel(mode="vec")
def quotient(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            tile = row // TILES  #~ ERROR trace-error: the compiler refuses to divide an integer by 0
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def rest(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            if row % 0 == 1:  #~ ERROR trace-error: the compiler refuses to divide an integer by 0
                dup(u, 0.0)
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def in_place(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    left = Var(3)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            left //= TILES  #~ ERROR trace-error: the compiler refuses to divide an integer by 0
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def called(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            part = var_mod(row, 0)  #~ ERROR trace-error: the compiler refuses to divide an integer by 0
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y
