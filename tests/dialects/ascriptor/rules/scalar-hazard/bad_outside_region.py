"""Outside of a region nothing orders the scalar unit after the reduction."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def clip(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    peak = Tensor(f32, [1, 64], Position.UB)
    limit = Var(0.0)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x
    loaded.set()
    loaded.wait()
    cmax(peak, tile)
    limit.GetValueFrom(peak[0:1, 0:1])  #~ WARNING scalar-hazard: nothing orders V→S
    muls(tile, tile, limit)
    done.set()
    done.wait()
    y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(clip, launcher="sim")(torch.randn(64, 64), torch.empty(64, 64))
