//! Operators that classes define.

/// Code before the kernel, and code in the kernel that sets `n`.
pub const OPERATORS: &[(&str, &str)] = &[
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __add__(self, other):\n        return C(self.n + other.n)",
        "n = (C(ROWS) + C(0)).n",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __add__(self, k):\n        return self.n + k",
        "n = C(ROWS - 4) + 4",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __radd__(self, k):\n        return self.n + k",
        "n = 4 + C(ROWS - 4)",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __add__(self, k):\n        return C(self.n + k)",
        "c = C(ROWS - 4)\nc += 4\nn = c.n",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __iadd__(self, k):\n        self.n += k\n        return self",
        "c = C(ROWS - 4)\nc += 4\nn = c.n",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __mul__(self, k):\n        return self.n * k",
        "n = C(ROWS // 4) * 4",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __rmul__(self, k):\n        return self.n * k",
        "n = 4 * C(ROWS // 4)",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __sub__(self, other):\n        return self.n - other.n",
        "n = C(ROWS + 3) - C(3)",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __truediv__(self, k):\n        return self.n // k",
        "n = C(2 * ROWS) / 2",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __floordiv__(self, k):\n        return self.n // k",
        "n = C(2 * ROWS) // 2",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __mod__(self, k):\n        return self.n",
        "n = C(ROWS) % 7",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __pow__(self, k):\n        return self.n * k",
        "n = C(ROWS) ** 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __matmul__(self, other):\n        return self.n * other.n",
        "n = C(ROWS) @ C(1)",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __or__(self, other):\n        return self.n + other.n",
        "n = C(ROWS) | C(0)",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __rshift__(self, k):\n        return self.n // 2 ** k",
        "n = C(4 * ROWS) >> 2",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __neg__(self):\n        return C(-self.n)",
        "n = (-C(-ROWS)).n",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __invert__(self):\n        return self.n",
        "n = ~C(ROWS)",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __eq__(self, other):\n        return self.n == other",
        "n = ROWS if C(3) == 3 else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __eq__(self, other):\n        return self.n == other.n",
        "n = ROWS if C(3) == C(3) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __eq__(self, other):\n        return self.n == other",
        "n = ROWS if C(3) != 4 else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __ne__(self, other):\n        return True",
        "n = ROWS if C(3) != 3 else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __lt__(self, other):\n        return self.n < other.n",
        "n = ROWS if C(3) < C(4) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __lt__(self, other):\n        return self.n < other.n",
        "n = ROWS if C(4) > C(3) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __le__(self, k):\n        return self.n <= k",
        "n = ROWS if C(3) <= 3 else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __ge__(self, k):\n        return self.n >= k",
        "n = ROWS if C(3) >= 3 else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __bool__(self):\n        return self.n > 2",
        "n = ROWS if C(3) and C(4) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __bool__(self):\n        return self.n > 2",
        "n = 1 if not C(3) else ROWS",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __bool__(self):\n        return self.n > 2",
        "n = C(1) or ROWS",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __len__(self):\n        return self.n",
        "n = ROWS if C(1) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __len__(self):\n        return self.n",
        "n = C(0) and 1\nn = 1 if n else ROWS",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __bool__(self):\n        return self.n > 0",
        "c = C(3)\nn = ROWS - 3\nwhile c:\n    c.n -= 1\n    n += 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __contains__(self, k):\n        return k < self.n",
        "n = ROWS if 3 in C(4) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __contains__(self, k):\n        return k < self.n",
        "n = ROWS if 5 not in C(4) else 1",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __iter__(self):\n        return iter([self.n, 0])",
        "n = sum(C(ROWS))",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __iter__(self):\n        yield self.n",
        "n = 0\nfor k in C(ROWS):\n    n += k",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __iter__(self):\n        yield self.n\n        yield 0",
        "a, b = C(ROWS)\nn = a + b",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __iter__(self):\n        yield self.n",
        "n = [k for k in C(ROWS)][0]",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __setitem__(self, k, v):\n        self.n = k * v",
        "c = C(1)\nc[2] = ROWS // 2\nn = c.n",
    ),
    (
        "class C:\n    def __init__(self, n):\n        self.n = n\n    def __getitem__(self, k):\n        return k.stop",
        "n = C(1)[0:ROWS]",
    ),
    (
        "class A:\n    def __add__(self, k):\n        return k\nclass B(A):\n    pass",
        "n = B() + ROWS",
    ),
    (
        "class Vec:\n    def __init__(self, *xs):\n        self.xs = xs\n    def __mul__(self, k):\n        return Vec(*[x * k for x in self.xs])\n    def __getitem__(self, i):\n        return self.xs[i]\n    def __len__(self):\n        return len(self.xs)",
        "n = (Vec(1, ROWS // 2) * 2)[1]",
    ),
    (
        "class Tiles:\n    def __init__(self, n):\n        self.n = n\n    def __enter__(self):\n        return self.n\n    def __exit__(self, a, b, c):\n        pass",
        "with Tiles(ROWS) as n:\n    pass",
    ),
];
