"""Its four types, and another one as pairs."""
from ascriptor.a2 import *


@kernel(mode="vec")
def fill(a: GM[f32, (8, 64)], b: GM[f16, (8, 128)], c: GM[u32, (8, 64)], d: GM[i16, (8, 128)]):
    ub_a = Tensor(f32, [8, 64], Position.UB)
    ub_b = Tensor(f16, [8, 128], Position.UB)
    ub_c = Tensor(u32, [8, 64], Position.UB)
    ub_d = Tensor(i16, [8, 128], Position.UB)
    with auto_sync():
        dup(ub_a, 1.0)
        dup(ub_b, 1.0)
        dup(ub_c, 1)
        dup(ub_d.reinterpret(i32), 65537)
        a <<= ub_a
        b <<= ub_b
        c <<= ub_c
        d <<= ub_d
    return a, b, c, d
