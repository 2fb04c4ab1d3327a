# Good: work items are heads of rows, `w // H` and `w % H`, dealt in turn.
from ascriptor.a2 import *


@kernel(mode="vec")
def per_head(x: GM[f32, ("B", "H", 64)], y: GM[f32, ("B", "H", 64)], B: i32, H: i32):
    a = DBuff(f32, [1, 64], Position.UB)
    b = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for w in range(GetVecIdx(), B * H, GetVecNum()):
            h = Var(w % H)
            bi = Var(w // H)
            a[n] <<= x[bi, h:h + 1, 0:64]
            exp(b[n], a[n])
            y[bi, h:h + 1, 0:64] <<= b[n]
            n += 1
    return y
