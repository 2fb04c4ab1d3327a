"""Two products share an accumulator, and each is stored before the next."""
from ascriptor.a2 import *


@kernel(mode="cube")
def work(x: GM[f16, ("M", 128)], w: GM[f16, (64, 128)], y: GM[f32, ("M", 64)], z: GM[f32, ("M", 64)]):
    a = DBuff(f16, [64, 128], Position.L1)
    b = Tensor(f16, [64, 128], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        b <<= w
        for tile in range(GetCubeIdx(), M // 64, GetCubeNum()):
            a[tile] <<= x[tile * 64:tile * 64 + 64, :]
            matmul(acc, a[tile], b)
            y[tile * 64:tile * 64 + 64, :] <<= acc
            matmul(acc, a[tile], b)
            z[tile * 64:tile * 64 + 64, :] <<= acc
    return y, z
