"""The mutex is closed on the pipe of the load."""
from ascriptor.a2 import *


@kernel()
def ring(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    ub = DBuff(f16, [32, 64], Position.UB)
    out = DBuff(f16, [32, 64], Position.UB)
    l1_a = DBuff(f16, [64, 64], Position.L1)
    l1_b = Tensor(f16, [64, 64], Position.L1)
    l0c = DBuff(f32, [64, 64], Position.L0C)
    halves = GMBuff(f16, [64, 64], 2)
    full = VcMutex(0, depth=2, dst_end_pipe=Pipe.MTE2)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        l1_b <<= b
        for tile in range(GetCubeIdx(), M // 64, GetCubeNum()):
            row = tile * 64
            ub[beat] <<= a[row + half:row + half + 32, 0:64]
            muls(out[beat], ub[beat], 0.5)
            full.lock()
            halves[beat][half:half + 32, 0:64] <<= out[beat]
            full.ready()
            full.wait()
            l1_a[beat] <<= halves[beat]
            full.free()
            matmul(l0c[beat], l1_a[beat], l1_b, m=64, n=64, k=64)
            y[row:row + 64, 0:64] <<= l0c[beat]
            beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    a, b = torch.randn(256, 64).half(), torch.randn(64, 64).half()
    OpExec(ring, launcher="sim", block_dim=1)(a, b, torch.empty(256, 64))
