"""A sum that both arms of a branch start anew keeps the last part only."""
from easyasc.a2 import *


@kernel(mode="cube")
def starts_in_both(x: GMTensor, w: GMTensor, y: GMTensor, M: Var, K: Var):
    a = DBuff(DT.half, [64, 64], Position.L1)
    b = DBuff(DT.half, [64, 64], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    step = Var(0)
    tile = Var(0)
    with auto_sync():
        for m in range(GetCubeIdx(), M // 64, GetCubeNum()):
            for k in range(0, K, 64):
                a[step] <<= x[m * 64:m * 64 + 64, k:k + 64]
                b[step] <<= w[0:64, k:k + 64]
                if k == 0:
                    matmul(acc[tile], a[step], b[step], is_init=True)
                else:
                    matmul(acc[tile], a[step], b[step], is_init=True)  #~ WARNING discarded-product: overwrites the product of line 18
                step += 1
            y[m * 64:m * 64 + 64, 0:64] <<= acc[tile]
            tile += 1
    return y


@kernel(mode="cube")
def starts_once(x: GMTensor, w: GMTensor, y: GMTensor, M: Var, K: Var):
    a = DBuff(DT.half, [64, 64], Position.L1)
    b = DBuff(DT.half, [64, 64], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    step = Var(0)
    tile = Var(0)
    with auto_sync():
        for m in range(GetCubeIdx(), M // 64, GetCubeNum()):
            for k in range(0, K, 64):
                a[step] <<= x[m * 64:m * 64 + 64, k:k + 64]
                b[step] <<= w[0:64, k:k + 64]
                if k == 0:
                    matmul(acc[tile], a[step], b[step], is_init=True)
                else:
                    matmul(acc[tile], a[step], b[step], is_init=False)
                step += 1
            y[m * 64:m * 64 + 64, 0:64] <<= acc[tile]
            tile += 1
    return y


@kernel(mode="cube")
def one_product_for_each(x: GMTensor, w: GMTensor, y: GMTensor, M: Var, mode: Var):
    a = DBuff(DT.half, [64, 64], Position.L1)
    b = DBuff(DT.half, [64, 64], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    step = Var(0)
    with auto_sync():
        for m in range(GetCubeIdx(), M // 64, GetCubeNum()):
            a[step] <<= x[m * 64:m * 64 + 64, 0:64]
            b[step] <<= w[0:64, 0:64]
            if mode == 0:
                matmul(acc[step], a[step], b[step], is_init=True)
            else:
                matmul(acc[step], b[step], a[step], is_init=True)
            y[m * 64:m * 64 + 64, 0:64] <<= acc[step]
            step += 1
    return y
