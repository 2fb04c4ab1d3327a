"""Seven is the last id."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=2)
def bridge(a: GM[f16, ("M", 64)], y: GM[f32, ("M", 64)]):
    l1 = DBuff(f16, [64, 64], Position.L1)
    l0c = DBuff(f32, [64, 64], Position.L0C)
    ub = DBuff(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    full = CvMutex(7, depth=2)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        for tile in range(GetCubeIdx(), M // 64, GetCubeNum()):
            row = tile * 64
            l1[beat] <<= a[row:row + 64, 0:64]
            matmul(l0c[beat], l1[beat], l1[beat], m=64, n=64, k=64)
            full.lock()
            ring[beat] <<= l0c[beat]
            full.ready()
            full.wait()
            ub[beat] <<= ring[beat][half:half + 32, 0:64]
            full.free()
            y[row + half:row + half + 32, 0:64] <<= ub[beat]
            beat += 1
    return y


if __name__ == "__main__":
    for M in [64, 640]:
        OpExec(bridge, launcher="sim")(torch.randn(M, 64).half(), torch.empty(M, 64))
