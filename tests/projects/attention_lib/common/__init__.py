from .sync import ordered
from .tiling import Rows, rows_left, rows_of

__all__ = ["Rows", "ordered", "rows_left", "rows_of"]
