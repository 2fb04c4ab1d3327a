# More credits than cycles separate a hand-back, with a launch that goes round the ring more than once.
from ascriptor.a2 import *


@kernel(block_dim=1)
def three(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = DBuff(f32, [64, 64], Position.L0C)
    tile = DBuff(f32, [32, 64], Position.UB)
    ws = split_workspace(f32, [2, 64, 64])
    full = CvMutex(0, depth=3)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        weights <<= b
        for t in range(0, M // 64):
            rows[beat] <<= a[t * 64:t * 64 + 64, :]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ws[beat % 2, 0:64, 0:64] <<= product[beat]
            full.ready()
            full.wait()
            tile[beat] <<= ws[beat % 2, half:half + 32, 0:64]  #~ ERROR mutex-depth: lets the producer run 3 handovers ahead
            full.free()
            y[t * 64 + half:t * 64 + half + 32, :] <<= tile[beat]
            beat += 1
    return y


@kernel(block_dim=1)
def of_the_ring(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = DBuff(f32, [64, 64], Position.L0C)
    tile = DBuff(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 3)
    full = CvMutex(0, depth=3)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        weights <<= b
        for t in range(0, M // 64):
            rows[beat] <<= a[t * 64:t * 64 + 64, :]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ring[beat] <<= product[beat]
            full.ready()
            full.wait()
            tile[beat] <<= ring[beat][half:half + 32, 0:64]
            full.free()
            y[t * 64 + half:t * 64 + half + 32, :] <<= tile[beat]
            beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    OpExec(three, launcher="sim")(torch.randn(512, 64).half(), torch.randn(64, 64).half(), torch.empty(512, 64))
    OpExec(of_the_ring, launcher="sim")(torch.randn(512, 64).half(), torch.randn(64, 64).half(), torch.empty(512, 64))
