# a lambda and an f-string of numbers of Python are evaluated when the kernel is compiled.
from ascriptor.a2 import *

WIDTH = 64


@kernel(mode="vec")
def named(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    twice = lambda count: 2 * count
    u = Tensor(f32, [1, twice(32)], Position.UB, name=f"row_{WIDTH}")
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            for part in unroll(2):
                label = f"{part} of {CeilDiv(WIDTH, 32):>4}"
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y
