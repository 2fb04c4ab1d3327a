from ascriptor.a2 import *


@kernel(mode="vec")
def low_byte(x: GM[i32, (640, 64)], y: GM[i32, (640, 64)]):
    a = Tensor(i32, [64, 64], Position.UB)
    b = Tensor(i32, [64, 64], Position.UB)
    low = Tensor(i32, [64, 64], Position.UB)
    with auto_sync():
        dup(low, 255)
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = tile * 64
            a <<= x[row:row + 64, 0:64]
            vand(b, a, low)
            y[row:row + 64, 0:64] <<= b
    return y
