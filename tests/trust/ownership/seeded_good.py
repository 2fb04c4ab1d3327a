# Good: an output that is added to, or that its caller fills, is not meant to be stored whole; a launch in a comment
# says no more about how it starts than no launch.
from ascriptor.a2 import *


# a2lint: launch(M=64, k=2.0)
@kernel(mode="mix", block_dim=1)
def halves(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], k: f32):  #~ VERDICT ownership: holds add different data
    u = Tensor(f32, [64, 64], Position.UB)
    s = GetSubBlockIdx()
    assert M <= 128
    h = CeilDiv(M, 2)
    lo = Min(s * h, M)
    n = Min(h, M - lo)
    with auto_sync():
        if n > 0:
            u[0:n, :] <<= x[lo:lo + n, 0:64]
            muls(u, u, k)
            with atomic_add():
                y[lo:lo + n, 0:64] <<= u[0:n, :]
    return y
