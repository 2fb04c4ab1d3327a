# The batch is taken from `w // (N * N)`, which is another number where H is not N: lanes store the same parts
from ascriptor.a2 import *


@kernel(mode="vec")
def per_head(x: GM[f32, ("B", "N", "H", 64)], y: GM[f32, ("B", "N", "H", 64)], B: i32, N: i32, H: i32):
    #~ VERDICT bounds: open
    #~ VERDICT ownership: open
    a = DBuff(f32, [1, 64], Position.UB)
    b = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    work = B * N * H
    per = CeilDiv(work, GetVecNum())
    first = Var(per * GetVecIdx())
    last = Min(first + per, work)
    with auto_sync():
        for w in range(first, last):
            h = Var(w % H)
            c = Var((w // H) % N)
            bi = Var(w // (N * N))
            a[n] <<= x[bi, c, h:h + 1, 0:64]
            exp(b[n], a[n])
            y[bi, c, h:h + 1, 0:64] <<= b[n]
            n += 1
    return y
