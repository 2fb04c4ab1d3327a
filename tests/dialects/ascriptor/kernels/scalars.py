"""Arithmetic of the scalar unit: what each operator makes of two integers and of a float.

    out[i]   one integer for each line of the kernel, see `scalars` in golden/generate.py
    out  i32  [40]       a, b  i32, b != 0;   x  f32
"""
from ascriptor.a2 import *

COUNT = 40


def largest(a, b, c=0):
    """A plain function with dynamic arguments is inlined."""
    first = a if a > b else b
    return first if first > c else c


@func
def collatz(n):
    """The steps from n down to 1, at most 50."""
    steps = Var(0)
    value = Var(n)
    for _ in range(50):
        if value == 1:
            break
        if value % 2 == 0:
            value //= 2
        else:
            value *= 3
            value += 1
        steps += 1
    return steps


@kernel(mode="vec", block_dim=1)
def scalars(out: GM[i32, COUNT], a: i32, b: i32, x: f32):
    row = Tensor(i32, [1, COUNT], Position.UB)
    written = SEvent(Pipe.S, Pipe.MTE3)
    numbers = [
        a + b,
        a - b,
        a * b,
        a // b,
        a / b,
        a % b,
        var_div(a, b),
        var_div(a, b, rounding="trunc"),
        var_mod(a, b, rounding="trunc"),
        var_mod(a, b),
        a & b,
        a | b,
        a ^ b,
        ~a,
        -a,
        a << 3,
        a >> 2,
        Min(a, b),
        Max(a, b),
        CeilDiv(a * a, 16),
        Align16(a * a),
        Align64(a * a),
        7 - a,
        100 // b,
        1 if a < b else 0,
        1 if -10 <= a < 10 else 0,
        1 if a > 0 and b > 0 else 0,
        1 if a > 0 or b > 0 else 0,
        1 if not a == b else 0,
        largest(a, b),
        largest(a, b, c=5),
        scalar_abs(a),
    ]
    slot = Var(0)
    for number in numbers:
        cell = Var(number, i32)
        cell.SetValueTo(row[0:1, slot:slot + 1])
        slot += 1

    # Cells are updated in place, and a float that is put into an integer loses its fraction.
    cell = Var(a)
    cell += 7
    cell -= b
    cell *= 3
    cell //= 2
    cell %= 100
    cell.SetValueTo(row[0:1, slot:slot + 1])
    cell <<= x * 2.0
    cell.SetValueTo(row[0:1, slot + 1:slot + 2])
    odd = Var(0)
    for i in range(10, -1, -1):
        if i % 2 == 0:
            continue
        odd += i
        if i == 3:
            break
    odd.SetValueTo(row[0:1, slot + 2:slot + 3])
    collatz(27).SetValueTo(row[0:1, slot + 3:slot + 4])
    collatz(6).SetValueTo(row[0:1, slot + 4:slot + 5])
    unsigned = Var(3, u32)
    unsigned -= 1
    small = Var(unsigned, i32)
    small.SetValueTo(row[0:1, slot + 5:slot + 6])
    whole = Var(scalar_sqrt(x), i32)
    whole.SetValueTo(row[0:1, slot + 6:slot + 7])
    truth = Var(a == b)
    flag = Var(0)
    if truth or x > 100.0:
        flag.set(1)
    elif x > 10.0:
        flag.set(2)
    else:
        flag.set(3)
    flag.SetValueTo(row[0:1, slot + 7:slot + 8])
    written.set()
    written.wait()
    out <<= row
    return out


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for a, b, x in [(17, 5, 2.5), (-17, 5, 100.0), (17, -5, 30.25)]:
        OpExec(scalars, launcher="sim")(torch.empty(COUNT, dtype=torch.int32), a, b, x)
