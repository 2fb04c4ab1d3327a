"""Runs everything once."""
import argparse

import torch

from configs import TILES, Mode
from easyasc.a2 import *
from ops import build_rescale, row_bias, shift

CASES = {
    "exact": dict(M=128, mode=Mode.EXACT, dtype=torch.float32),
    "tail": dict(M=100, mode=Mode.EXACT, dtype=torch.float32),
    "fast": dict(M=96, mode=Mode.FAST, dtype=torch.float16),
}


def rescale(M, mode, dtype, factor=0.5):
    tile = TILES[mode]
    x = torch.randn(M, tile.columns).to(dtype)
    return OpExec(build_rescale(tile, dtype), "out")(x, torch.empty_like(x), M, factor)


def sums(M):
    x = torch.randn(M, 64)
    moved = OpExec(shift, "out")(x, torch.empty_like(x), M, 1.0)
    return OpExec(row_bias, "out")(moved, x, torch.empty_like(x), M)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=256)
    args = parser.parse_args()
    for name, case in CASES.items():
        print(f"{name:>8}", rescale(**case))
    sums(args.rows)
