"""Python that is only unusual."""
from easyasc.a2 import *

TABLE = {
        "a": 1,
    "b": [2,
3]}


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(
  DT.float, [64, 64], Position.UB)
    with auto_sync():  # the '(' of a comment
	# a tab
        a <<= x[0:64, 0:64]; exp(a, a)
        scale = 1.0 if TABLE["a"] == 1 else \
    2.0
        muls(a, a, scale)
        y[0:64, 0:64] <<= a
    """A note:
      with its own indentation (
    """
    return y
