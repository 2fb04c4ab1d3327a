"""Which slot it is, is not known: another one in each iteration, for all that is known."""
from easyasc.a2 import *
from elsewhere import pick


@kernel()
def started(a: GMTensor, b: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.half, [32, 64], Position.L1)
    l1_b = Tensor(DT.half, [32, 64], Position.L1)
    l0c = QBuff(DT.float, [32, 32], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:32, 0:64]
        l1_b <<= b[0:32, 0:64]
        for i in range(0, 4):
            matmul(l0c[pick(i)], l1_a, l1_b)  #~ PARTLY: a number could not be evaluated
        for i in range(0, 4):
            y[i * 32:i * 32 + 32, 0:32] <<= l0c[i]
    return y


@kernel()
def added(a: GMTensor, b: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.half, [32, 64], Position.L1)
    l1_b = Tensor(DT.half, [32, 64], Position.L1)
    l0c = QBuff(DT.float, [32, 32], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:32, 0:64]
        l1_b <<= b[0:32, 0:64]
        for i in range(0, 4):
            matmul(l0c[pick(i)], l1_a, l1_b, is_init=(i >= 0))  #~ PARTLY: a number could not be evaluated
        for i in range(0, 4):
            y[i * 32:i * 32 + 32, 0:32] <<= l0c[i]
    return y
