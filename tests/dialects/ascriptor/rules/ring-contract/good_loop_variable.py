"""A loop variable is a counter too; one mutex may guard two rings."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=1)
def pair(a: GM[f16, ("M", 64)], y: GM[f32, ("M", 64)], z: GM[f32, ("M", 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    first = Tensor(f32, [32, 64], Position.UB)
    second = Tensor(f32, [32, 64], Position.UB)
    plain = GMBuff(f32, [64, 64], 2)
    positive = GMBuff(f32, [64, 64], 2, "positive")
    full = CvMutex(0, depth=2)
    half = GetSubBlockIdx() * 32
    with auto_sync():
        for step in range(M // 64):
            row = step * 64
            l1 <<= a[row:row + 64, 0:64]
            matmul(l0c, l1, l1, m=64, n=64, k=64)
            full.lock()
            plain[step] <<= l0c
            positive[step] <<= l0c.relu()
            full.ready()
            full.wait()
            first <<= plain[step][half:half + 32, 0:64]
            second <<= positive[step][half:half + 32, 0:64]
            full.free()
            y[row + half:row + half + 32, 0:64] <<= first
            z[row + half:row + half + 32, 0:64] <<= second
    return y, z


if __name__ == "__main__":
    for M in [64, 320]:
        a = torch.randn(M, 64).half()
        OpExec(pair, launcher="sim")(a, torch.empty(M, 64), torch.empty(M, 64))
