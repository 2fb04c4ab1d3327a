"""A load of the bias table itself."""
from easyasc.a2 import *


@kernel()
def linear(bias: GMTensor, c: GMTensor):  #~ WARNING signature: `c` is returned, and nothing is stored to it
    l1_bias = Tensor(DT.float, [16, 64], Position.L1, layout=Layout.NZ)
    table = Tensor(DT.float, [1, 64], Position.BT)
    with auto_sync():
        l1_bias <<= bias[0:16, 0:64]
        l1_to_bt(table, l1_bias[0:1, 0:64])  #~ ERROR bias-layout: l1_to_bt() takes the bias from a flat row
    return c
