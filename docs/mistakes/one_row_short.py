from ascriptor.a2 import *


# a2lint: launch(M=100)
@kernel(mode="vec")
def square(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    a = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = tile * 64
            a <<= x[row:row + 64, 0:64]
            mul(a, a, a)
            y[row:row + 64, 0:64] <<= a
    return y
