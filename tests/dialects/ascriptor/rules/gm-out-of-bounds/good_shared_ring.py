"""per_core=False: one ring for the one lane that the kernel runs on."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def ring_in_vec(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2, per_core=False)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2)
    loaded = DEvent(Pipe.MTE2, Pipe.MTE3, preset=True)
    beat = Var(0)
    with auto_sync():
        for t in range(M // 64):
            tile[beat] <<= x[t * 64:t * 64 + 64, :]
            exp(tile[beat], tile[beat])
            loaded.wait()
            ring[beat] <<= tile[beat]
            stored.set()
            stored.wait()
            out[beat] <<= ring[beat]
            loaded.set()
            y[t * 64:t * 64 + 64, :] <<= out[beat]
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(ring_in_vec, launcher="sim")(torch.randn(256, 64), torch.empty(256, 64))
