# A deadlock that only some guessed launches show is no test that was passed: vec is a beat late, and the last product is never read
from ascriptor.a2 import *
# vec is a beat late; without a drain turn the last product is never read
@kernel(block_dim=1)
def late(a: GM[f16, ("M", 64)], w: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    #~^ WARNING deadlock: no lane can go on
    #~ VERDICT progress: refuted
    la = DBuff(f16, [64, 64], Position.L1)
    lw = Tensor(f16, [64, 64], Position.L1)
    acc = DBuff(f32, [64, 64], Position.L0C)
    u = DBuff(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    m = CvMutex(0, guards=acc)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        lw <<= w
        for t in range(M // 64):
            la[beat] <<= a[t * 64:t * 64 + 64, 0:64]
            matmul(acc[beat], la[beat], lw, m=64, n=64, k=64)
            m.lock()
            ring[beat] <<= acc[beat]
            m.ready()
            if t > 0:
                m.wait()
                u[beat - 1] <<= ring[beat - 1][half:half + 32, 0:64]
                m.free()
                y[t * 64 - 64 + half:t * 64 - 32 + half, 0:64] <<= u[beat - 1]
            beat += 1
    return y
