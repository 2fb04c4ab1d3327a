from .rescale import build_rescale
from .rows import row_bias, shift
