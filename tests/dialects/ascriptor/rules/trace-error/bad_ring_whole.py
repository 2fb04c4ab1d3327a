"""Only a slot of a ring is a tensor."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=1)
def whole(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    ub = Tensor(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 1)
    full = CvMutex(0, depth=1)
    half = GetSubBlockIdx() * 32
    with auto_sync():
        l1 <<= a
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        full.lock()
        ring[0] <<= l0c
        full.ready()
        full.wait()
        ub <<= ring[half:half + 32, 0:64]  #~ ERROR trace-error
        full.free()
        y[half:half + 32, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(whole, launcher="sim")(torch.randn(64, 64).half(), torch.empty(64, 64))
