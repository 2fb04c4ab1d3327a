# a bias is added only where a sum certainly starts: a cell as `is_init` does not compile with one.
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def gemm(x: GM[f16, (64, 64)], y: GM[f16, (64, 64)], bias: GM[f32, (1, 64)], z: GM[f32, (64, 64)]):
    a = Tensor(f16, [64, 64], Position.L1)
    b = Tensor(f16, [64, 64], Position.L1)
    c = Tensor(f32, [64, 64], Position.L0C)
    w = Tensor(f32, [1, 64], Position.L1, layout=Layout.ND)
    first = Var(1)
    with auto_sync():
        a <<= x
        b <<= y
        w <<= bias
        matmul(c, a, b, is_init=first, bias=w)  #~ ERROR trace-error: adds a bias only where it starts
        z <<= c
    return z
