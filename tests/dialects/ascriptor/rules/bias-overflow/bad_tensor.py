"""The compiler hands out 512 bytes of the bias table."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(bias: GM[f32, (1, 256)], a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    row = Tensor(f32, [1, 256], Position.L1, layout=Layout.ND)
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0a = Tensor(f16, [64, 64], Position.L0A)
    l0b = Tensor(f16, [64, 64], Position.L0B)
    bt = Tensor(f32, [1, 256], Position.BT)  #~ ERROR bias-overflow: needs 1 KB; the bias table has 512 B
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        row <<= bias
        l1 <<= a
        l0a <<= l1
        l0b <<= l1
        l1_to_bt(bt, row)
        mmad(l0c, l0a, l0b, bias=bt)
        y[0:64, 0:64] <<= l0c
    return y
