# Halves of an odd tile overlap by one row, which is added twice.
from ascriptor.a2 import *


@kernel(mode="mix", block_dim=1)
def halves(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], k: f32):
    u = Tensor(f32, [64, 64], Position.UB)
    s = GetSubBlockIdx()
    assert M <= 128
    h = M // 2 + M % 2
    lo = s * (M // 2)
    n = Min(h, M - lo)
    with auto_sync():
        if n > 0:
            u[0:n, :] <<= x[lo:lo + n, 0:64]
            muls(u, u, k)
            with atomic_add():
                y[lo:lo + n, 0:64] <<= u[0:n, :]  #~ ERROR atomic-double-count: vec0 has computed of the same data
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec
    OpExec(halves, launcher="sim", seed_outputs=True)(torch.randn(33, 64), torch.zeros(33, 64), 2.0)
