"""A ring of each cube core has no slots where there are no cubes."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def ring_in_vec(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2)
    beat = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 64, GetVecNum()):
            tile[beat] <<= x[t * 64:t * 64 + 64, :]
            exp(tile[beat], tile[beat])
            ring[beat] <<= tile[beat]  #~ ERROR gm-out-of-bounds: axis 0 has 0 elements
            stored.set()
            stored.wait()
            out[beat] <<= ring[beat]  #~ ERROR gm-out-of-bounds: axis 0 has 0 elements
            y[t * 64:t * 64 + 64, :] <<= out[beat]
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(ring_in_vec, launcher="sim")(torch.randn(256, 64), torch.empty(256, 64))
