"""The vector unit is one tile behind: slots `beat` and `beat - 1` of two, by one counter."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=2)
def lag(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    l1_a = DBuff(f16, [64, 64], Position.L1)
    l1_b = Tensor(f16, [64, 64], Position.L1)
    l0c = DBuff(f32, [64, 64], Position.L0C)
    ub = DBuff(f32, [32, 64], Position.UB)
    products = GMBuff(f32, [64, 64], 2)
    full = CvMutex(0, guards=l0c)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    tiles = CeilDiv(Max(M // 64 - GetCubeIdx(), 0), GetCubeNum())
    with auto_sync():
        l1_b <<= b
        for step in range(tiles + 1):
            if step < tiles:
                row = (GetCubeIdx() + step * GetCubeNum()) * 64
                l1_a[beat] <<= a[row:row + 64, 0:64]
                matmul(l0c[beat], l1_a[beat], l1_b, m=64, n=64, k=64)
                full.lock()
                products[beat] <<= l0c[beat]
                full.ready()
            if step > 0:
                late = (GetCubeIdx() + (step - 1) * GetCubeNum()) * 64 + half
                full.wait()
                ub[beat - 1] <<= products[beat - 1][half:half + 32, 0:64]
                full.free()
                exp(ub[beat - 1], ub[beat - 1])
                y[late:late + 32, 0:64] <<= ub[beat - 1]
            beat += 1
    return y


if __name__ == "__main__":
    for M in [64, 640]:
        a, b = torch.full((M, 64), 0.1).half(), torch.full((64, 64), 0.1).half()
        OpExec(lag, launcher="sim")(a, b, torch.empty(M, 64))
