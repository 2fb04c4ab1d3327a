"""All lanes add the same rows."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (128, 64)], total: GM[f32, (64, 64)], y: GM[f32, (128, 64)]):
    t = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for m in range(0, 128, 64):
            t <<= x[m:m + 64, 0:64]
            with atomic_add():
                total[0:64, 0:64] <<= t  #~ ERROR atomic-double-count: adds to `total` what vec0 has computed
            y[m:m + 64, 0:64] <<= t
    return total, y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    run = OpExec(work, launcher="sim", block_dim=2, seed_outputs=True)
    run(torch.randn(128, 64), torch.zeros(64, 64), torch.empty(128, 64))
