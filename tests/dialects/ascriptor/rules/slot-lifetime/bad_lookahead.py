"""Two tiles are loaded ahead into two slots: the second load overwrites what is still read."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def ahead(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for step in range(M // 64 + 2):
            if step < M // 64:
                tile[beat] <<= x[step * 64:step * 64 + 64, 0:64]  #~ ERROR race: MTE2
            if step >= 2:
                exp(out[beat], tile[beat - 2])  #~ ERROR slot-lifetime
                row = (step - 2) * 64
                y[row:row + 64, 0:64] <<= out[beat]
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(ahead, launcher="sim")(torch.randn(320, 64), torch.empty(320, 64))
