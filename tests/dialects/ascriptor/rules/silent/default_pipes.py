"""A mutex without pipes has the right ones."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=2)
def defaults(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    l1_a = DBuff(f16, [64, 64], Position.L1)
    l1_b = Tensor(f16, [64, 64], Position.L1)
    l0c = DBuff(f32, [64, 64], Position.L0C)
    ub = DBuff(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    full = CvMutex(0, guards=(l0c, ub))
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        l1_b <<= b
        for tile in range(GetCubeIdx(), M // 64, GetCubeNum()):
            row = tile * 64
            l1_a[beat] <<= a[row:row + 64, 0:64]
            matmul(l0c[beat], l1_a[beat], l1_b, m=64, n=64, k=64)
            full.lock()
            ring[beat] <<= l0c[beat]
            full.ready()
            full.wait()
            ub[beat] <<= ring[beat][half:half + 32, 0:64]
            full.free()
            exp(ub[beat], ub[beat])
            y[row + half:row + half + 32, 0:64] <<= ub[beat]
            beat += 1
    return y


if __name__ == "__main__":
    for M in [64, 640]:
        OpExec(defaults, launcher="sim")(torch.randn(M, 64).half(), torch.randn(64, 64).half(), torch.empty(M, 64))
