"""The distance between the bounds of a loop may not fit 64 bits."""
from easyasc.a2 import *


@kernel(mode="vec")
def masks(x: GMTensor, y: GMTensor):
    m = Tensor(DT.uint8, [4, 32], Position.UB)
    u = Tensor(DT.float, [4, 512], Position.UB)
    with auto_sync():
        u <<= x[0:4, 0:512]
        for j in range(-(1 << 62) - 5, (1 << 62) + 9, 1 << 61):
            for i in range(0, 4):
                compare_scalar(m[i:i + 1, 0:32], u[i:i + 1, 0:512], 0.0, CompareMode.GT)  #~ ERROR mask-rows: writes 64 bytes
        y[0:4, 0:32] <<= m
    return y
