"""An output that is only added to is as good as what it starts with, which the verdict has to say."""
from ascriptor.a2 import *

WIDTH = 64


@kernel(mode="vec", block_dim=4)
def adds_rows(x: GM[f32, ("M", WIDTH)], s: GM[f32, ("M", WIDTH)]):
    tile = DBuff(f32, [1, WIDTH], Position.UB)
    twice = DBuff(f32, [1, WIDTH], Position.UB)
    beat = Var(0)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            tile[beat] <<= x[row:row + 1, 0:WIDTH]
            muls(twice[beat], tile[beat], 2.0)
            with atomic_add():
                s[row:row + 1, 0:WIDTH] <<= twice[beat]
            beat += 1
    return s


@kernel(mode="vec", block_dim=4)
def stores_rows(x: GM[f32, ("M", WIDTH)], s: GM[f32, ("M", WIDTH)]):
    tile = DBuff(f32, [1, WIDTH], Position.UB)
    twice = DBuff(f32, [1, WIDTH], Position.UB)
    beat = Var(0)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            tile[beat] <<= x[row:row + 1, 0:WIDTH]
            muls(twice[beat], tile[beat], 2.0)
            s[row:row + 1, 0:WIDTH] <<= twice[beat]
            beat += 1
    return s


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec
    OpExec(adds_rows, launcher="sim", seed_outputs=True)(torch.randn(9, WIDTH), torch.zeros(9, WIDTH))
    OpExec(stores_rows, launcher="sim")(torch.randn(9, WIDTH), torch.zeros(9, WIDTH))
#~ VERDICT adds_rows.initialised: holds `s` starts with defined contents
#~ VERDICT stores_rows.initialised: holds
