from ascriptor.a2 import *


@kernel(mode="vec")
def exponential(x: GM[f32, (640, 64)], y: GM[f32, (640, 64)]):
    a = DBuff(f32, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = tile * 64
            a[count] <<= x[row:row + 64, 0:64]
            exp(a[count], a[count])
            y[row:row + 64, 0:64] <<= a[count]
            count = count + 1
    return y
