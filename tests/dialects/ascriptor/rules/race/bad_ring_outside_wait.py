"""A ring that the vector unit stores and loads by itself is no tensor on chip: nothing orders it."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=1)
def both(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    beat = Var(0)
    with auto_sync():
        if GetSubBlockIdx() == 0:
            for step in range(M // 64):
                tile[beat] <<= x[step * 64:step * 64 + 64, :]
                exp(tile[beat], tile[beat])
                ring[beat] <<= tile[beat]
                out[beat] <<= ring[beat]  #~ ERROR race: MTE3→MTE2
                y[step * 64:step * 64 + 64, :] <<= out[beat]
                beat += 1
    return y


if __name__ == "__main__":
    OpExec(both, launcher="sim")(torch.randn(256, 64), torch.empty(256, 64))
