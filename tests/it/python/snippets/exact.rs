//! Values that differ in type, sign or identity alone, and the errors that CPython raises at the ends of domains.

pub(super) const SNIPPETS: &[&str] = &[
    // After an undecided branch, a name has a value only if both arms give it the same one of the same type.
    "import time
if time.time() > 0: x = 1
else: x = True
r = x, repr(x)",
    "import time
if time.time() > 0: x = 0.0
else: x = -0.0
r = str(x)
y = (1, 2)
if time.time() > 0: y = (1.0, 2)
s = repr(y)",
    "import time
def f():
    if time.time() < 0: return 1
    return True
def g():
    global v
    v = 1.0
v = 1
if time.time() > 0: g()
r, s = f(), repr(v)",
    "import time
class C: pass
c = C()
c.v = True
if time.time() > 0: c.v = 1
r = repr(c.v)
d = {'v': (True, 1)}
if time.time() > 0: d['v'] = (1, True)
s = repr(d['v'])",
    // Containers compare items by identity first, which matters for NaN.
    "x = float('nan')
y = float('nan')
r = [x] == [x], [x] == [y], (x,) == (x,), {1: x} == {1: x}, {x} == {x}
s = x in (x,), x in [y], [x].count(x), x == x, x != x
t = {x: 1}.get(x), {x: 1}.get(y), len({x, x}), len({x, y})
u = [x, 1] < [x, 2], [x, 1] < [y, 2], (x, 1) < (x, 2)",
    "x = float('nan')
try:
    r = {x: 1}[x]
except KeyError:
    r = 0
try:
    s = [x].index(x)
except ValueError:
    s = -1
a = [1, x]
a.remove(x)
t = a
u = x in {1, x}, {x}.issubset({x})",
    "import functools
n = []
@functools.lru_cache
def f(v): n.append(1)
x = float('nan')
f(x), f(x)
r = len(n)
from dataclasses import dataclass
@dataclass
class C: v: float
s = C(x) == C(x), C(x) == C(float('nan')), C(1.0) == C(1)",
    // Texts of numbers.
    "a = [repr(float(t)) for t in ('-nan', '+nan', 'NaN', ' -inf ', '\\x0b8', '1e3')]
b = int('\\x0b8'), int('8\\x0c'), int('0_0', 0), int('00', 0), int('0x_1', 16), int('0b1', 16)
def t(f, *a):
    try: return f(*a)
    except ValueError: return 'no'
c = t(int, '0x__1', 16), t(int, '01', 0), t(int, '\\x1c8'), t(float, '\\x1c8'), t(float, '--nan')
d = t(int, 'z' * 24, 36) == 36 ** 24 - 1, t(int, 'zzzzzzzzzzzzzzzzzzzzzzzzzzz', 36) == 'no'",
    "import math
def t(f, *a):
    try: return f(*a)
    except Exception as e: return type(e).__name__
a = t(math.log, 8, 1), t(math.log, 8, 0), t(math.log, 0), t(math.log, 8, 2), t(math.log, 8, -1), t(math.log, -1, 1)
b = t(math.sin, math.inf), t(math.cos, -math.inf), t(math.sin, 0.5), t(math.cos, 0), t(math.tanh, math.inf)
c = math.isnan(math.sin(math.nan)), math.log(math.inf, 2)",
    "a = 2 ** 126 < 1e38, 10 ** 38 < 1e38, 10 ** 38 + 1 > 1e38, 2 ** 126 + 2 ** 125 > 1.1e38
b = -2 ** 126 > -1e38, -(2 ** 126 + 2 ** 125) < -1.1e38, 10 ** 38 == 1e38, 5 < 1e300, -5 > -1e300
c = max(2 ** 126 + 2 ** 125, 1.1e38) > 1.2e38, 5 < float('inf'), -5 > float('-inf')
d = round(2 ** 126, -30), round(-15, -1), round(25, -1), round(-25, -1), round(15, -1)",
    // Keys that cannot be hashed.
    "def t(f):
    try: return f()
    except TypeError: return 'no'
a = t(lambda: {((1, [2]),): 1}), t(lambda: {(((), {}),)}), t(lambda: ((1, set()),) in {})
b = t(lambda: {tuple([0] * 150 + [[]]): 1}), t(lambda: {((1, (2,)),): 1}), t(lambda: {1: 2}.get(((),)))
c = t(lambda: {}.setdefault((1, ([],)), 3)), t(lambda: hash(1) and {frozenset([1]): 1})
x = (1, 2)
for _ in range(20): x = (x, x)
d = {x: 5}.get(x)",
    // Files that define names of Python's builtins.
    "import contextlib
A = [1]
def len(x):
    x.append(2)
    return 0
def f(): return len(A)
with contextlib.ExitStack() as s: s.callback(f)
r = A[-1]",
    "import contextlib
A, B, C = [1], [1], [1]
def grow(x): x.append(2)
def f(print=grow): return print(A)
g = lambda max: max(B)
def h(): return [str(C) for str in [grow]]
with contextlib.ExitStack() as s:
    s.callback(f)
    s.callback(g, grow)
    s.callback(h)
r = A[-1], B[-1], C[-1]",
    "import contextlib
A, n = [1, 2], []
it = iter(A)
def see(v):
    n.append(v)
    return v
def f(): return sorted(A, key=see), list(it)
with contextlib.ExitStack() as s: s.callback(f)
r = n, next(it, 5)",
    "def abs(x): return 5
def pow(x, y): return 5
ceil, asin = 5, 2
def total(): return 1
from math import *
from operator import *
r = ceil(1.5), abs(-3), pow(2, 3), total()
s = asin == 2",
    "import sys
sys.argv.append('x')
r = sys.argv[1:]
s = sys.argv[0] == '', len(sys.argv)
a = sys.argv
a[0] = 'p'
t = sys.argv[0]
sys.argv = ['q']
u = sys.argv
from sys import argv
v = argv is u",
    // Counts beyond 64 bits.
    "def t(f):
    try: return f()
    except OverflowError: return 'no'
n = 2 ** 63 - 1
a = t(lambda: 'a b c'.split(' ', n)), t(lambda: 'a b c'.rsplit(' ', n)), t(lambda: 'aa'.replace('a', 'b', n))
b = t(lambda: 'a b c'.split(' ', n + 1)), t(lambda: 'a b'.rsplit(' ', 2 ** 64))
f = t(lambda: 'aa'.replace('a', 'b', 2 ** 64)), t(lambda: 'aa'.replace('a', 'b', -2 ** 64))
c = t(lambda: 'a b c'.split(' ', -1)), t(lambda: 'a b c'.rsplit(' ', -2)), t(lambda: 'aa'.replace('a', 'b', -n))
d = t(lambda: 'a b c'.split(' ', -n - 2)), 'a b c'.rsplit(' ', 1), 'a b c'.split(' ', 0), 'aaa'.replace('a', 'b', 2)
e = t(lambda: 'a'.ljust(-2 ** 126)), t(lambda: 'a'.zfill(-5)), t(lambda: 'a'.rjust(3)), t(lambda: '-a'.zfill(4))",
    "r = range(10)[2:8:2], range(0, 30, 3)[1:4]
a = list(r[0]), list(r[1]), list(range(10)[::-3]), list(range(10)[5:2])
b = list(range(0, 2 ** 126, 2 ** 125)[::2]), len(range(0, 2 ** 126, 2 ** 120)[::2 ** 40])",
    // Which operand an operator asks.
    "class A:
    def __add__(self, o): return NotImplemented
    def __radd__(self, o): return 'A.radd'
    def __lt__(self, o): return NotImplemented
    def __gt__(self, o): return 'A.gt'
class B(A): pass
class C(A):
    def __radd__(self, o): return 'C.radd'
class D:
    def __add__(self, o): return 'D.add'
    def __radd__(self, o): return 'D.radd'
class E(D): pass
class F(D):
    def __radd__(self, o): return 'F.radd'
def t(f):
    try: return f()
    except TypeError: return 'no'
r = t(lambda: A() + A()), t(lambda: A() + B()), t(lambda: B() + A()), t(lambda: A() + C()), t(lambda: C() + C())
s = D() + D(), D() + E(), E() + D(), D() + F(), F() + D(), D() + A(), A() + D()
u = A() < A(), A() < B(), B() < A()
v = t(lambda: 1 + A()), t(lambda: A() + 1)",
    "class A:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return NotImplemented
    def __sub__(self, o): return NotImplemented
    def __rsub__(self, o): return self.v
a = A(1)
try:
    a -= A(2)
    r = a
except TypeError:
    r = 'no'
s = a == a, a == A(1), a != A(1), 5 - a",
    "from collections import namedtuple
T = namedtuple('T', 'rows\\tcolumns\\nlayers,\\x1cdepth')
r = T(1, 2, 3, 4)._fields, T(1, 2, 3, 4).depth
def t(*a, **k):
    try: return namedtuple('T', *a, **k)._fields
    except (TypeError, ValueError): return 'no'
s = t('a a'), t('_a'), t('1a'), t('a b', defaults=(1, 2, 3)), t('a b', defaults=None), t('a b', rename=True)",
    "from types import SimpleNamespace
x = SimpleNamespace(a=1)
class C: pass
r = type(x) is SimpleNamespace, isinstance(x, SimpleNamespace), type(x) is C, type(C()) is SimpleNamespace
s = type(x) == SimpleNamespace, type(x) is type(SimpleNamespace(b=2)), type(x) is dict",
    "import time
a = [1]
try:
    if time.time() > 0: raise ValueError(a)
    raise KeyError(a)
except Exception as e:
    e.args[0].append(2)
r = a",
    "import time
b = [1]
a = [b]
if time.time() > 0: a.append(3)
match a:
    case [first, *_]:
        first.append(2)
r = b",
    "import time
class V:
    def __init__(self): self.n = 1
    def __iadd__(self, o):
        self.n += o
        return self
v = V()
u = [v]
if time.time() > 0: u.append(2)
for w in [v, 1]:
    if time.time() > 0: break
x = u[0]
x += 1
w += 1
r = v.n",
];
