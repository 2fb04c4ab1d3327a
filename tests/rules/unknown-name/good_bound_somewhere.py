"""Names that something binds, however late, and names in code that no kernel executes."""
import functools
from easyasc.a2 import *

try:
    import tuned
except ImportError:
    TILE = 64
else:
    TILE = tuned.TILE


def later(dst):
    dup(dst, FILL)


def unrelated():
    return nobody_defines_this(1)


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        cast(b, a, round_mode=RoundMode.RINT)
        cast(a, b, round_mode=RoundMode.NONE)
        later(a)
        y[0:64, 0:64] <<= a
    if __debug__:
        assert isinstance(a, object), NotImplementedError
    return y


FILL = 1.0
