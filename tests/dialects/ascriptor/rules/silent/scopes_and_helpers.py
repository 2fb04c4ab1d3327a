"""Scopes only route; helpers have fresh names, defaults and keywords, and may take instructions."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


def scaled(dst, src, *, factor=2.0):
    muls(dst, src, factor)


@func()
def twice(op, tile, rows):
    part = tile[0:rows, :]
    op(part, part)
    op(part, part)
    return part


@kernel(mode="vec", block_dim=2)
def helpers(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = DBuff(f32, [32, 64], Position.UB, sync_depth=1)
    beat = Var(0)
    with auto_sync():
        for step in range(GetVecIdx(), M // 32, GetVecNum()):
            part = step * 32
            tile[beat] <<= x[part:part + 32, 0:64]
            with vec_scope():
                done = twice(relu, tile[beat], 32)
                scaled(done, done, factor=0.5)
                scaled(src=done, dst=done)
            y[part:part + 32, 0:64] <<= tile[beat]
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(helpers, launcher="sim")(torch.randn(96, 64), torch.empty(96, 64))
