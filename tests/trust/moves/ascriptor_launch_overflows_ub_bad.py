# A launch of the file whose own sizes overflow UB is an error at the buffer, not a launch that was left out.
from ascriptor.a2 import *

# a2lint: launch(M=4, N=40000)
@kernel(mode="vec", block_dim=2)
def rows(x: GM[f32, ("M", "N")], y: GM[f32, ("M", "N")]):
    u = DBuff(f32, [1, N], Position.UB)  #~ ERROR ub-overflow: the buffers up to `u` need 312.5 KB in a launch; UB has 192 KB
    b = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[b] <<= x[r:r + 1, 0:N]
            muls(u[b], u[b], 2.0, count=N)
            y[r:r + 1, 0:N] <<= u[b]
            b += 1
    return y
