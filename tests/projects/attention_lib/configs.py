"""Sizes of tiles, and what kernels are built for."""
from dataclasses import dataclass, replace
from enum import IntEnum


class Mode(IntEnum):
    EXACT = 1
    FAST = 2


@dataclass(frozen=True)
class Tile:
    rows: int
    columns: int

    def __post_init__(self):
        if self.rows % 8:
            raise ValueError("rows come in blocks of 8")

    @property
    def shape(self):
        return [self.rows, self.columns]


SQUARE = Tile(rows=64, columns=64)
WIDE = replace(SQUARE, rows=32, columns=128)
TILES = {Mode.EXACT: SQUARE, Mode.FAST: WIDE}
