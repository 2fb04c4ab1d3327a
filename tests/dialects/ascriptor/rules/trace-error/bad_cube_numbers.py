"""A kernel of the vector unit has no cubes: GetCubeNum() is 0, and a loop with that step never ends."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=2)
def cube_numbers(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for t in range(GetCubeIdx(), M // 64, GetCubeNum()):  #~ ERROR trace-error: step
            tile[beat] <<= x[t * 64:t * 64 + 64, :]
            exp(tile[beat], tile[beat])
            y[t * 64:t * 64 + 64, :] <<= tile[beat]
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(cube_numbers, launcher="sim")(torch.randn(256, 64), torch.empty(256, 64))
