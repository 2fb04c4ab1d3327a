"""How rows are divided among cores."""
from easyasc.a2 import *


def rows_of(config):
    return config.rows


def rows_left(tile, M, row):
    return Min(tile.rows, M - row)


class Rows:
    """The rows of a core, a tile at a time."""

    def __init__(self, config):
        self.rows = rows_of(config)

    def bounds(self, M):
        step = self.rows
        return GetVecIdx() * step, M, GetVecNum() * step
