# A buffer whose size only a launch gives: 256 KB in UB, which the interpreter allocates without a word.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def rows(x: GM[f32, (64, "N")], y: GM[f32, (64, "N")]):
    tile = DBuff(f32, [64, N], Position.UB)  #~ ERROR ub-overflow: need 256 KB in a launch; UB has 192 KB
    with auto_sync():
        tile[0] <<= x
        y <<= tile[0]
    return y


@kernel(mode="vec", block_dim=1)
def fewer_rows(x: GM[f32, (64, "N")], y: GM[f32, (64, "N")]):
    tile = DBuff(f32, [32, N], Position.UB)
    with auto_sync():
        for half in range(0, 2):
            tile[half] <<= x[half * 32:half * 32 + 32, :]
            y[half * 32:half * 32 + 32, :] <<= tile[half]
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    OpExec(rows, launcher="sim")(torch.randn(64, 512), torch.empty(64, 512))
    OpExec(fewer_rows, launcher="sim")(torch.randn(64, 512), torch.empty(64, 512))
