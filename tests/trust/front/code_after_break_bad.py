# the compiler refuses a block of the device that goes on after its `break` or `continue`.
from ascriptor.a2 import *


@kernel(mode="vec")
def stops(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
            if row > 3:
                break
                dup(u, 0.0)  #~ ERROR trace-error: code after `break`
    return y


@kernel(mode="vec")
def goes_on(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
            continue
            done = row + 1  #~ ERROR trace-error: code after `continue`
    return y


LAST = True


@kernel(mode="vec")
def where_python_decides(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
            if LAST:
                break
            bar_all()  #~ ERROR trace-error: code after `break`
    return y
