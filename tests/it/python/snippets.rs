//! Short programs that look for what an evaluator gets wrong: aliases, classes, exceptions, closures, decorators, text,
//! and what leads to the own module. Each is held against CPython.

pub const SNIPPETS: &[&str] = &[
    r#"import functools
def deco(f):
    @functools.wraps(f)
    def inner(*a): return f(*a)
    return inner
@deco
def g(): "doc"; return 5
r = g.__name__, g(), g.__wrapped__.__name__, g.__doc__"#,
    "import functools
def f(): pass
def g(): pass
f.mark = 3
functools.update_wrapper(g, f)
r = g.__name__, g.mark, g.__wrapped__ is f
f.mark = 4
s = g.mark",
    "def f(a, b=1): return a + b
f.__defaults__ = (5,)
r = f(1)",
    "def f(a, *, b=1): return a + b
f.__kwdefaults__['b'] = 7
r = f(1)",
    "def f(): return 1
def g(): return 2
f.__code__ = g.__code__
r = f()",
    "def f(): return 1
f.__name__ = 'h'
r = f.__name__
f.x = [1]
f.x.append(2)
s = f.x, f.__dict__
f.__dict__['y'] = 5
t = f.y, hasattr(f, 'z'), hasattr(f, 'y')
del f.y
u = hasattr(f, 'y')",
    "import sys
W = 1
setattr(sys.modules[__name__], 'W', 2)
r = W",
    "import sys
W = 1
sys.modules[__name__].__dict__['W'] = 2
r = W",
    "import sys
W = 1
vars(sys.modules['__main__']).update(W=2)
r = W",
    "W = 1
globals().update(W=2)
r = W",
    "import importlib
W = 1
importlib.import_module(__name__).W = 2
r = W",
    "import sys
W = 1
m = sys.modules
m.get(__name__).W = 2
r = W",
    "from functools import partial
def f(*a, **k): return a, k
p = partial(f, 1, x=1)
q = partial(p, 2, x=2, y=3)
r = q(3), q.args, q.func is f, q.keywords, p.keywords, q(4, y=9)
q.keywords['z'] = 1
s = q(), p()",
    "r = str(OSError(2, 'm')), str(KeyError('x')), str(ValueError('a', 1)), str(ValueError()), repr(KeyError('x')), str(Exception(1))",
    "try:
    raise OSError(2, 'm')
except FileNotFoundError as e:
    r = e.errno, e.args
except OSError as e:
    r = 'other'",
    "class C:
    def __del__(self):
        global W
        W = 128
W = 1
c = C()
W = 64
del c
r = W",
    "log = []
class C:
    def __del__(self): log.append(1)
C()
log.append(2)
r = log",
    "def f():
    n = [0]
    class C:
        def __del__(self): n[0] += 1
    C()
    return n
r = f()",
    "try:
    r = len(range(2**70))
except OverflowError:
    r = 'over'
s = len(range(2**60))",
    "class C:
    def __init__(self): self.__x = 3
    def get(self): return self.__x
    __y = 4
c = C()
r = vars(c), c._C__x, getattr(c, '_C__x'), C._C__y, hasattr(c, '__x')
c.__x = 7
s = c.get(), sorted(vars(c))
c._C__x = 9
t = c.get()",
    "class A:
    def __init__(self): self.__v = 1
    def a(self): return self.__v
class B(A):
    def __init__(self):
        super().__init__()
        self.__v = 2
    def b(self): return self.__v
b = B()
r = b.a(), b.b(), sorted(vars(b))",
    "class A:
    def __f(self): return 1
    def g(self): return self.__f()
class B(A):
    def __f(self): return 2
r = B().g(), B()._B__f(), B()._A__f()",
    "class Base:
    def tag(self): return ['base']
def mix(cls, n):
    class Mixed(cls):
        def tag(self): return super().tag() + [n]
    return Mixed
C = mix(mix(Base, 1), 2)
r = C().tag()",
    "def make(n):
    class P:
        def __init__(self, *a): self.n = n; super().__init__(*a)
        def who(self): return __class__.__name__, n
    return P
P1 = make(1)
r = P1().who()",
    "def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
r = deep(150)",
    "def fib(n, memo={}):
    if n in memo: return memo[n]
    if n < 2: return n
    memo[n] = fib(n - 1) + fib(n - 2)
    return memo[n]
r = fib(90)",
    "import functools
@functools.lru_cache(maxsize=1)
def f(x):
    log.append(x)
    return x
log = []
f(1); f(2); f(1)
r = log
f.cache_clear()
f(1)
s = log",
    "import functools
n = []
@functools.lru_cache(None)
def f(x, a=1): n.append(x); return x
f(1); f(1.0); f(True); f(x=1); f('x', 1); f(1, a=1); f(1, 1)
r = len(n)",
    "import functools
@functools.total_ordering
class V:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
r = V(1) <= V(2), V(1) > V(2), V(2) >= V(2), sorted([V(3), V(1)], key=lambda x: x)[0].v",
    "g = globals
W = 1
g()['W'] = 2
r = W",
    "import builtins
W = 1
builtins.globals()['W'] = 2
r = W",
    "def f(): pass
W = 1
f.__globals__['W'] = 2
r = W",
    "import sys
W = 1
sys._getframe().f_globals['W'] = 2
r = W",
    "import inspect
W = 1
inspect.currentframe().f_globals['W'] = 2
r = W",
    "W = 1
__import__(__name__).W = 2
r = W",
    "import __main__
W = 1
r = W",
    "W = 1
[*map(exec, ['W = 2'])]
r = W",
    "from math import *
r = floor(2.5), int(sqrt(16)), pi > 3, pow(2, 3)",
    "from operator import itemgetter, attrgetter, methodcaller
r = sorted([(2, 'a'), (1, 'b')], key=itemgetter(0)), itemgetter(1, 0)('xy'), itemgetter('k')({'k': 3})
class C:
    def __init__(self, a): self.a = a; self.b = self
    def m(self, k): return self.a + k
s = attrgetter('a')(C(1)), attrgetter('b.a', 'a')(C(2)), methodcaller('m', 5)(C(3)), methodcaller('m', k=5)(C(3))",
    "from collections.abc import Sequence, Mapping, Iterable, Callable, Hashable, Iterator
vals = [1, 's', (1,), [1], {}, {1}, range(3), None, len, lambda: 1, iter([]), 1.5, frozenset()]
r = [[isinstance(v, c) for c in (Sequence, Mapping, Iterable, Callable, Hashable, Iterator)] for v in vals]",
    "import collections
r = isinstance([], collections.abc.MutableSequence), isinstance((), collections.abc.Collection), isinstance({}, collections.abc.MutableMapping)",
    "from collections import defaultdict
d = defaultdict(list)
d['a'].append(1)
d['b'].append(2)
d['a'].append(3)
r = dict(d), len(d), 'a' in d, 'c' in d, sorted(d), [k for k in d], list(d.items()), d.get('z'), list(d.values())
d['c']
s = len(d), d['a'], d == {'a': [1, 3], 'b': [2], 'c': []}, isinstance(d, dict)",
    "from collections import defaultdict
d = defaultdict(int)
for c in 'hello': d[c] += 1
r = dict(d), sum(d.values()), max(d, key=d.get), d.pop('h'), dict(d)",
    "from collections import Counter
c = Counter('hello')
r = c['l'], c['z'], c.most_common(1), sorted(c.elements()), sum(c.values()), dict(c), len(c)
c.update('hh')
s = c['h']",
    "from collections import deque
d = deque([1, 2, 3])
d.append(4); d.appendleft(0); d.rotate(1)
r = list(d), d.pop(), d.popleft(), len(d), d[0], 2 in d, [x for x in d]
e = deque([1, 2, 3], maxlen=2)
e.append(9)
s = list(e), e.maxlen",
    "import math
r = math.comb(10, 3), math.factorial(10), math.perm(5, 2), math.perm(4), math.comb(3, 5), math.factorial(0)
try:
    math.factorial(-1)
except ValueError:
    s = 1",
    r#"x = 5
n = 'a'
r = f"{x=}", f"{n=}", f"{x = }", f"{n=!s}", f"{x=:03d}", f"{x+1=}", f'a{x=}b'"#,
    r#"from enum import IntEnum, Enum, IntFlag
class M(IntEnum):
    A = 1
    B = 20
class F(IntFlag):
    R = 4
r = f"{M.A}", f"{M.B:>5}", f"{F.R}", '{}'.format(M.B), M.B + 1, M.A.name"#,
    "a = [1, 2]
b = a
a = a + [3]
r = b
a += [4]
b += [5]
s = a, b",
    "a = [[]] * 3
a[0].append(1)
r = a
b = [[] for _ in range(3)]
b[0].append(1)
s = b",
    "def f(x, acc=[]):
    acc.append(x)
    return acc
r = f(1), f(2), f(3, []), f(4)",
    "t = ([1],)
try:
    t[0] += [2]
except TypeError:
    r = t",
    "a = [1, 2, 3, 4]
for x in a:
    if x % 2 == 0: a.remove(x)
    if len(a) > 10: break
r = a",
    "a = [1, 2, 3]
for i, x in enumerate(a):
    if i < 3: a.append(x * 10)
r = a",
    "d = {1: 'a'}
try:
    for k in d: d[k + 1] = 'b'
except RuntimeError:
    r = 'changed'
s = len(d)",
    "class A:
    x = []
class B(A): pass
B.x.append(1)
B.y = 2
A.y = 3
r = A.x, B().x, B.y
a = A()
a.x = a.x + [5]
s = A.x, a.x",
    "class A:
    n = 0
    def inc(self): self.n += 1; return self.n
a, b = A(), A()
a.inc(); a.inc(); b.inc()
r = a.n, b.n, A.n",
    "class Meta(type):
    def __new__(m, n, b, d): d['z'] = 5; return super().__new__(m, n, b, d)
class C(metaclass=Meta): pass
r = C.z",
    "class P:
    @property
    def x(self): return self.__dict__.get('x', 0)
    @x.setter
    def x(self, v): self.__dict__['x'] = v + 1
p = P()
p.x = 3
r = p.x, vars(p)",
    "class D:
    def __init__(self): self.log = []
    def __set_name__(self, o, n): self.name = n
    def __get__(self, o, t=None):
        if o is None: return self
        return o.__dict__.get(self.name, 'none')
class C:
    d = D()
c = C()
r = c.d
c.d = 5
s = c.d, C.d.name",
    "def outer():
    xs = []
    for i in range(3):
        def g(): return i
        xs.append(g)
    return [g() for g in xs]
r = outer()
s = [f() for f in [lambda: i for i in range(3)]]",
    "def counter():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    def get(): return n
    return inc, get
i, g = counter()
i(); i()
r = g()",
    "x = 10
def f():
    try:
        return x
    finally:
        globals()['x'] = 11
r = f(), x",
    "x = 1
def f():
    r = []
    try:
        r.append(x)
    except UnboundLocalError:
        r.append('u')
    x = 2
    return r
r = f()",
    "class C:
    x = 1
    ys = [x for _ in range(2)] if False else [1]
    def f(self): return x
x = 5
r = C().f(), C.ys",
    "class C:
    n = 3
    xs = [i for i in range(n)]
try:
    class E:
        n = 3
        xs = [n for i in range(2)]
    r = E.xs
except NameError:
    r = 'ne'
s = C.xs",
    "x = 'o'
r = [x for x in range(3)], x
s = [y := 5, y * 2], y
t = [(z := i) for i in range(3)], z",
    "g = (x for x in [1, 2, 3])
r = 2 in g, list(g)
it = iter([1, 2, 3, 4])
s = list(zip(it, it))",
    "def gen():
    try:
        x = yield 1
        yield x
    except ValueError:
        yield 'caught'
    finally:
        done.append(1)
done = []
g = gen()
r = next(g), g.send(7), done[:]
g.close()
s = done
g = gen(); next(g)
t = g.throw(ValueError)",
    "def gen():
    r = yield from sub()
    yield r
def sub():
    yield 1
    return 9
r = list(gen())",
    "def f():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: break
        finally:
            log.append(i)
    else:
        log.append('else')
log = []
f()
r = log",
    "try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError('x') from e
except ValueError as e2:
    r = str(e2), type(e2.__cause__).__name__, e2.args
try:
    e
except NameError:
    s = 'gone'",
    "class E1(Exception):
    def __init__(self, a, b): super().__init__(a); self.b = b
class E2(E1): pass
try:
    raise E2(1, 2)
except (KeyError, E1) as e:
    r = e.b, e.args, str(e), type(e).__name__",
    "class E(Exception):
    def __str__(self): return 'mine'
try: raise E(1)
except E as e: r = str(e), f'{e}', e.args
try: raise E
except E as e: s = e.args",
    "class CM:
    def __init__(self, s): self.s = s
    def __enter__(self): log.append('in'); return self
    def __exit__(self, t, v, tb): log.append(t.__name__ if t else None); return self.s
log = []
with CM(True) as c:
    raise KeyError('k')
with CM(False): pass
try:
    with CM(False): raise ValueError
except ValueError: log.append('out')
r = log",
    "from contextlib import contextmanager
@contextmanager
def cm(x):
    log.append('a')
    try:
        yield x
    except ValueError:
        log.append('v')
    finally:
        log.append('z')
log = []
with cm(3) as y: log.append(y)
with cm(4): raise ValueError
r = log, cm.__name__",
    "def twice(f):
    def inner(*a, **k): return f(f(*a, **k))
    return inner
def plus(n):
    def d(f): return lambda x: f(x) + n
    return d
@twice
@plus(10)
def g(x): return x * 2
r = g(1), g.__name__",
    "class deco:
    def __init__(self, f): self.f = f; self.n = 0
    def __call__(self, *a): self.n += 1; return self.f(*a), self.n
    def __get__(self, o, t): return lambda *a: self(o, *a)
@deco
def f(x): return x
class C:
    @deco
    def m(self, x): return x + 1
r = f(1), f(2), C().m(3)",
    "def register(name):
    def d(f): T[name] = f; return f
    return d
T = {}
@register('a')
def f1(): return 1
@register('b')
class K: v = 2
r = T['a'](), T['b'].v, list(T)",
    "from dataclasses import dataclass, field, replace, asdict, astuple, fields
@dataclass(order=True)
class P:
    x: int
    y: int = field(default=2, compare=False)
    tags: list = field(default_factory=list)
p, q = P(1), P(1, 5)
p.tags.append(1)
r = p == q, P(1, 2) == P(1, 9), P(1) < P(2), asdict(p), q.tags, repr(p), [f.name for f in fields(p)]
s = replace(p, x=5).tags is p.tags, astuple(P(3, 4))",
    "from dataclasses import dataclass, field
@dataclass
class A:
    a: int = 1
    def __post_init__(self): self.b = self.a * 2
@dataclass
class B(A):
    c: int = 0
    def __post_init__(self):
        super().__post_init__()
        self.d = self.b + self.c
r = B(3, 4).d, B(c=1).d, repr(B())",
    "from dataclasses import dataclass
@dataclass(frozen=True)
class F:
    x: int
    def with_x(self, x): return F(x)
try:
    F(1).x = 2
except Exception as e:
    r = type(e).__name__
s = hash(F(1)) == hash(F(1)), {F(1): 2}[F(1)], len({F(1), F(1), F(2)})",
    "from enum import Enum, auto, unique
class C(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    @property
    def low(self): return self.name.lower()
    @classmethod
    def first(cls): return list(cls)[0]
r = C.CRIMSON.name, len(C), C(2).name, C['RED'].value, C.first().low, [c.name for c in C], C.RED is C.CRIMSON, C.RED == 1, C.RED in C
s = repr(C.RED), str(C.RED), f'{C.GREEN}', isinstance(C.RED, C), list(C.__members__)",
    "from enum import Enum
class P(Enum):
    A = (1, 2)
    B = (3, 4)
    def __init__(self, x, y): self.x = x; self.s = x + y
r = P.A.s, P.B.x, P((1, 2)).name
try:
    P.A = 3
except AttributeError:
    s = 1
try:
    P(9)
except ValueError as e:
    t = str(e)",
    "from enum import Flag, auto
class F(Flag):
    A = auto()
    B = auto()
    C = auto()
    AB = A | B
r = F.C.value, (F.A | F.C).value, bool(F.A & F.B), F.A in F.AB, F.AB.value, (~F.A & F.AB).value",
    "x, n, f = 255, 'ab', 3.14159
r = f'{x:#x} {x:08b} {x:>6}|{x:<6}|{x:^7}|{x:+d}|{x:_}|{x:,}|{-x:05d}', f'{n:*^8}|{n!r:>6}', f'{f:.2f} {f:8.3f} {f:e} {f:g} {f:.0f} {f!s:.4}', f'{x:{n and 6}d}'",
    "r = '%5d|%-5s|%05.1f|%x|%%|%r|%s' % (3, 'a', 2.55, 255, 'q', [1]), '%(a)s-%(b)02d' % {'a': 1, 'b': 2}, '%s' % (1,), '%c%c' % ('a', 98)",
    "r = '{0[1]} {1.real} {k[a]}'.format([1, 2], 3, k={'a': 5}), '{:>{w}}'.format('x', w=4), '{!r}'.format('a'), '{{}}'.format()",
    r#"r = 'a,b,,c'.split(','), ' a  b '.split(), 'abc'.partition('b'), 'aXbXc'.rsplit('X', 1), 'abc'.center(7, '*'), 'a\tb'.expandtabs(4), 'hello'.translate({104: 'j'}), 'x'.join('abc')"#,
    "r = 'abc'[::-1], 'abcdef'[1:5:2], [1, 2, 3][-2:], (1, 2, 3)[::2], 'abc'[5:], list(range(10))[8:2:-3]",
    "def f(a, /, b, *, c=3, **k): return a, b, c, k
r = f(1, 2), f(1, b=2, c=4, a=5), f(*[1], **{'b': 2, 'z': 1})
try: f(1, 2, 3)
except TypeError: s = 1
try: f(a=1, b=2)
except TypeError: t = 1
try: f(1, 2, b=3)
except TypeError: u = 1",
    "class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + (o.x if isinstance(o, V) else o))
    def __radd__(self, o): return V(o + self.x)
    def __iadd__(self, o): self.x += 100; return self
    def __eq__(self, o): return self.x == o.x if isinstance(o, V) else NotImplemented
    def __hash__(self): return hash(self.x)
    def __bool__(self): return self.x > 0
    def __len__(self): return 3
    def __contains__(self, i): return i == self.x
    def __iter__(self): yield self.x; yield 9
    def __getitem__(self, k): return k
    def __call__(self, k): return k * self.x
    def __lt__(self, o): return self.x < o.x
    def __neg__(self): return V(-self.x)
    def __index__(self): return 2
v = V(1)
w = v
v += 1
r = (v + V(2)).x, (1 + v).x, w.x, v == V(101), v == 3, bool(V(-1)), len(v), 5 in v, list(v), v[1:2], v(2), (-v).x, [1, 2, 3][v], sum([V(1), V(2)], V(0)).x, sorted([V(3), V(1)])[0].x, {V(1): 2}[V(1)], not V(0), max(V(1), V(4)).x",
    "class L(list):
    def append(self, x): super().append(x * 2)
l = L([1])
l.append(2)
r = list(l), len(l), isinstance(l, list)",
    "class D(dict):
    def __missing__(self, k): self[k] = k * 2; return self[k]
d = D(a=1)
r = d['b'], dict(d)",
    "from types import SimpleNamespace
n = SimpleNamespace(a=1)
n.b = n.a + 1
r = n.b, vars(n), n == SimpleNamespace(a=1, b=2)",
    "class A:
    def __init__(self): self.calls = []
    def __getattr__(self, n):
        if n.startswith('_'): raise AttributeError(n)
        def f(*a): self.calls.append((n, a)); return self
        return f
a = A()
a.x(1).y(2)
r = a.calls, hasattr(a, 'z'), hasattr(a, '_z'), getattr(a, '_q', 3)",
    "class S:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
    def __init__(self, v): self.v = v
r = S(1) is S(2), S(3).v, S._i.v",
    "class A:
    @classmethod
    def make(cls, *a): return cls(*a)
    @staticmethod
    def two(): return 2
    def __init__(self, x=0): self.x = x
class B(A):
    def __init__(self, x=0): super().__init__(x + 1)
r = B.make(3).x, A.make().x, B.two(), B().two(), type(B.make()).__name__",
    "class A:
    def f(self): return 'A'
class B(A):
    def f(self): return 'B' + super().f()
class C(A):
    def f(self): return 'C' + super().f()
class D(B, C):
    def f(self): return 'D' + super().f()
r = D().f(), [k.__name__ for k in D.__mro__], super(B, D()).f(), D.f(D()), issubclass(D, A)
f = D().f
g = A.f
A.f = lambda self: 'Z'
s = f(), g(D())",
    "import copy
class C:
    def __init__(self): self.a = [1]; self.me = self
    def __copy__(self): return 'cp'
c = C()
r = copy.copy(c)
d = {'x': [1], 'y': None}
d['y'] = d['x']
e = copy.deepcopy(d)
e['x'].append(2)
s = e, d",
    "m = {'a': 1, 'b': {'c': [1, 2, {'d': 3}]}}
match m:
    case {'b': {'c': [x, *_, {'d': y}]}, **rest}: r = x, y, rest
match (1, 2, 3):
    case (a, b): s = 2
    case (a, *b) if len(b) > 5: s = 5
    case [a, *b]: s = a, b
class P:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y): self.x, self.y = x, y
match P(1, 2):
    case P(1, y=z): t = z
match 'x':
    case 'a' | 'x' as q: u = q",
    "r = sorted(['b', 'A', 'c'], key=str.lower), sorted([3, 1, 2], key=lambda x: -x), max(['aa', 'b'], key=len), min((2, 'b'), (2, 'a')), sorted({'b': 1, 'a': 2}), list(map(str.upper, ['a'])), list(map(int, '12')), sum(map(len, ['ab', 'c']))",
    "r = list(zip('ab', range(5), [9, 8])), dict(zip('ab', [1, 2])), list(enumerate('ab', 1)), list(filter(None, [0, 1, '', 'a'])), any(x > 2 for x in [1, 3]), all([]), list(reversed('abc')), [*map(lambda a, b: a + b, [1, 2], [3, 4])]",
    "try:
    [1, 2].index(3)
except ValueError as e:
    r = type(e).__name__
try:
    {}['k']
except KeyError as e:
    s = str(e), e.args, repr(e)
try:
    int('x')
except ValueError as e:
    t = isinstance(e, Exception)
try:
    raise StopIteration(5)
except StopIteration as e:
    u = e.value
try:
    assert 0, 'msg'
except AssertionError as e:
    v = str(e)",
    "def f():
    yield 1
    return 2
g = f()
next(g)
try:
    next(g)
except StopIteration as e:
    r = e.value
s = next(g, 'end')",
    "a, (b, *c), d = 1, (2, 3, 4), 5
[e, f] = {6: 1, 7: 2}
(g, h), = [(8, 9)]
i = j = k = []
i.append(1)
r = a, b, c, d, e, f, g, h, k
x = 5
x, y = x + 1, x
l = [0, 1, 2]
z = 0
z, l[z] = 1, 9
s = x, y, l",
    "def f(n):
    if n: return f
    return None
class T:
    def __init__(self): self.d = {}
    def __enter__(self): return self.d
    def __exit__(self, *a): self.d['closed'] = True
t = T()
with t as d: d['k'] = 1
r = t.d, f(1) is f, f(0)",
    "import functools
class C:
    def __init__(self): self.n = 0
    @functools.cached_property
    def v(self): self.n += 1; return self.n
    @functools.singledispatchmethod
    def g(self, x): return 'o'
c = C()
r = c.v, c.v, c.n
del c.v
s = c.v
@functools.singledispatch
def sd(x): return 'obj'
@sd.register(int)
def _(x): return 'int'
t = sd(1), sd('a')",
    "def f(**kw): return kw
d = {'a': 1}
k = f(**d)
k['b'] = 2
def g(*a): return a
l = [1]
r = d, k, g(*l, *l), f(**d, c=3)
try: f(**d, a=3)
except TypeError: s = 1",
    "x = [1, 2, 3]
def f(y): y = y + [4]; return y
def g(y): y[:] = [9]; return y
f(x)
r = x[:]
g(x)
s = x
x[1:1] = [5, 6]
del x[::2]
t = x",
    "class A:
    def __eq__(self, o): return True
a = A()
r = a == 3, a != 3, a in [1], [1].count(a), a is None, a == None
try:
    {a: 1}
except TypeError:
    s = 'unhashable'",
    "class Base:
    registry = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag
        Base.registry.append(cls.__name__)
class X(Base, tag='x'): pass
class Y(X): pass
r = Base.registry, X.tag, Y.tag",
    "import abc
class A(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
    @property
    @abc.abstractmethod
    def p(self): ...
class B(A):
    def f(self): return 1
    p = 3
try: A()
except TypeError: r = 't'
s = B().f(), B().p",
    "from collections import namedtuple, OrderedDict, ChainMap
P = namedtuple('P', 'x y', defaults=[5])
p = P(1)
r = p, p.y, p._asdict(), p._replace(x=3), P._fields, p[0], [*p], p == (1, 5), P._make([7, 8]).x, repr(p)
o = OrderedDict(a=1, b=2)
o.move_to_end('a')
s = list(o)",
    "import itertools
r = list(itertools.groupby([1, 1, 2], key=lambda x: x % 2))[0][0], [(k, list(g)) for k, g in itertools.groupby('aab')], list(itertools.tee([1, 2])[1]), list(itertools.combinations('abc', 2)), list(itertools.product('ab', repeat=2))[1], list(itertools.zip_longest('a', 'bc', fillvalue='-'))",
    r#"r = int.from_bytes(b'\x01\x02', 'big'), (5).to_bytes(2, 'little'), bytes([1, 2])[0], bytearray(b'a')[0], b'a' + b'b' == b'ab', (10).bit_length(), hex(255), 0xff, 1_000"#,
    "class Node:
    def __init__(self, v, nxt=None): self.v, self.nxt = v, nxt
    def __iter__(self):
        n = self
        while n: yield n.v; n = n.nxt
    def __repr__(self): return f'N({self.v!r})'
r = list(Node(1, Node(2))), str(Node('a')), f'{Node(1)}', [Node(3)].__repr__() if False else repr([Node(3)]), '%s' % Node(2)",
    "def f():
    x = 1
    class C:
        x = 2
        def g(self): return x
        y = x
    return C().g(), C.y
r = f()
x = 3
def h():
    global x
    x = 4
    def k():
        return x
    return k()
s = h(), x",
    "state = {'n': 0}
def bump(by=1):
    state['n'] += by
    return state['n']
r = [bump(), bump(2), bump()], state
s = bump() if state['n'] > 100 else bump(10)
t = bump() and bump() or bump()
u = state['n']",
    "l = [3, 1, 2]
s = l.sort()
r = s, l, sorted(l, reverse=True), l.pop(0), l.copy() is l
m = l
l = sorted(l)
l.append(7)
q = m, l",
    "while True:
    try:
        break
    finally:
        r = 1
else:
    r = 2
for i in []: pass
else: s = 'e'
n = 0
while n < 3:
    n += 1
    if n == 2: continue
else:
    t = n",
    "import types
class C:
    def __init__(self): self.v = 3
def m(self, k): return self.v + k
c = C()
c.m = types.MethodType(m, c)
r = c.m(1)
C.n = m
s = c.n(2), C.n is m, c.n.__func__ is m, c.n.__self__ is c",
    "class A:
    v = 1
    def get(self): return type(self).v, self.__class__.v
class B(A): v = 2
r = B().get(), A.get(B()), B.__name__, B.__bases__ == (A,), A.__subclasses__() == [B], B.__dict__['v'], vars(A)['v']",
    "W = 1
class M:
    global W
    W = 5
r = W
def f():
    import math as mm
    return mm.floor(2.5)
s = f()
del W
try:
    W
except NameError as e:
    t = str(e)",
    "import functools
def deco(f):
    def inner(*a): return f(*a)
    return functools.update_wrapper(inner, f, assigned=('__doc__',))
@deco
def g(): return 5
r = g.__name__",
    "import functools
def deco(f):
    @functools.wraps(f)
    def inner(*a): inner.calls += 1; return f(*a)
    inner.calls = 0
    return inner
@deco
def g(x): return x
g(1); g(2)
r = g.calls, g.__wrapped__(3), g.calls",
    "class C:
    def m(self): return 1
    m.tag = 'x'
r = C.m.tag, C().m.tag, C().m.__name__, C().m.__func__ is C.m
try:
    C().m.tag = 2
    s = 'set'
except AttributeError:
    s = 'no'",
    "f = lambda: 1
f.x = 2
r = f.x, f.__name__
f.__name__ = 'q'
s = f.__name__
g = f
g.x = 3
t = f.x",
    "def f(x, acc=[]):
    acc.append(x); return acc
f(1)
r = f.__defaults__
f.__defaults__[0].append(9)
s = f(2)",
    "def outer():
    x = 1
    def inner(): return x
    inner.__closure__[0].cell_contents = 5
    return inner(), x
r = outer()",
    "class C:
    pass
def m(self): return self.v
C.m = m
c = C(); c.v = 3
r = c.m()
m.__name__ = 'z'
s = C.m.__name__",
    "class A:
    __slots__ = ('__p', 'q')
    def __init__(self): self.__p = 1; self.q = 2
    def g(self): return self.__p
r = A().g(), A()._A__p
try:
    A().__p = 3
except AttributeError: s = 'no'",
    "class Outer:
    __k = 1
    class Inner:
        __k = 2
        def g(self): return self.__k
    def g(self): return self.__k, self.Inner().g()
r = Outer().g(), Outer._Outer__k, Outer.Inner._Inner__k",
    "class A:
    def f(self, **k): return k
    def g(self): return self.f(__x=1), dict(__y=2)
r = A().g()",
    "class A:
    def __priv(self): return 1
    def call(self): return getattr(self, '__priv', 'none'), getattr(self, '_A__priv')()
r = A().call(), A.__dict__.keys() >= {'_A__priv'}",
    "class A:
    def f(self):
        __loc = 3
        def g():
            nonlocal __loc
            __loc += 1
            return __loc
        return g(), sorted(locals())
r = A().f()",
    "class _A:
    def __init__(self): self.__x = 1
class __B:
    def __init__(self): self.__x = 1
r = vars(_A()), vars(globals()['__B']())",
    "class A:
    def f(self): return [super(A, self).__init__() for _ in range(2)]
    def g(self):
        h = lambda: super(A, self)
        return 1
r = A().f(), A().g()",
    "class A:
    @classmethod
    def c(cls): return 'A' + cls.__name__
    @staticmethod
    def s(): return 'As'
    @property
    def p(self): return 1
    def __init_subclass__(cls, **k): cls.tag = 't'; super().__init_subclass__(**k)
class B(A):
    @classmethod
    def c(cls): return 'B' + super().c()
    @property
    def p(self): return super().p + 1
    def s2(self): return super().s()
r = B.c(), B().p, B().s2(), B.tag",
    "class A:
    def f(self): return __class__.__name__
class B(A): pass
def g(self): return super().f()
B.g = g
try:
    r = B().g()
except RuntimeError:
    r = 'rt'
s = B().f()",
    "from functools import partial
p = partial(int, base=2)
r = p('101'), p('11', base=3)
class C:
    m = partial(max, 5)
s = C().m(3), C.m(9)
q = partial(p)
t = q.func is int, q.keywords",
    "from functools import partial
def f(*a, **k): return a, k
p = partial(f, 1)
p.note = 'x'
q = partial(p, 2)
r = q.func is f, q(3), p.note",
    "from functools import partialmethod, reduce, cmp_to_key
class C:
    def set(self, a, b): return a, b
    s1 = partialmethod(set, 1)
r = C().s1(2)
s = sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))
t = reduce(lambda a, b: a * b, [1, 2, 3], 10)",
    "import sys
class Fake: W = 3
sys.modules['fakemod'] = Fake
import fakemod
r = fakemod.W",
    "import sys
W = 1
mod = sys.modules[__name__]
r = getattr(mod, 'W'), hasattr(mod, 'Q'), 'W' in vars(mod)
mod.W += 1
s = W
del mod.W
t = 'W' in globals()",
    "import sys
W = 1
def setup(): setattr(sys.modules[__name__], 'W', 5)
setup()
r = W",
    "W = 1
ns = globals()
ns.update({'W': 2, 'V': 3})
r = W, V, ns.get('W'), ns.get('nope', 4), ns['V']
ns.pop('V')
s = 'V' in ns",
    "import __main__
W = 1
__main__.W = 2
r = W",
    "from __main__ import __name__ as n
r = n",
    "e = OSError('only')
f = FileNotFoundError(2, 'msg')
r = str(e), e.args, str(f), f.args, isinstance(f, OSError)
g = PermissionError(13, 'x', 'file')
s = g.args",
    "class E(OSError): pass
r = str(E(1, 'a')), E(1, 'a').args, str(E('x'))
class K(KeyError): pass
s = str(K('q')), repr(K('q'))
class KeyErr(Exception): pass
t = str(KeyErr('q'))",
    "class C:
    def __init__(self, log): self.log = log
    def __del__(self): self.log.append('d')
log = []
c = C(log)
log.append(1)
c = None
r = log",
    "class C:
    def __del__(self): pass
c = C()
c.x = 3
r = c.x",
    "def gen(n):
    if n > 0:
        yield n
        yield from gen(n - 1)
r = sum(gen(30))
def walk(t):
    for x in t:
        if isinstance(x, list): yield from walk(x)
        else: yield x
s = list(walk([1, [2, [3, [4]]]]))",
    "import sys
def ack(m, n):
    if m == 0: return n + 1
    if n == 0: return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
r = ack(2, 10)
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return 'deep'
s = f(0)",
    r#"x = {'a': 1}
y = 2
r = f"{x['a']=}", f"{y=:>5}", f"{y = !r}", f"{ y = }", f"{(lambda: 3)()=}""#,
    "from enum import IntEnum, Enum, IntFlag
class M(IntEnum):
    A = 1
    def __str__(self): return 'mine'
class N(IntEnum):
    B = 2
    def __format__(self, s): return 'fmt' + s
class O(M if False else IntEnum): Z = 7
r = f'{N.B:x}', f'{O.Z:03d}', '%d' % O.Z
s = f'{M.A}'",
    "from math import *
from operator import *
r = floor(3.7), add(1, 2), e > 2, gcd(12, 8), hypot(3, 4)
s = abs(-3)",
    "from operator import attrgetter, itemgetter
class P:
    def __init__(self, a, b): self.a, self.b = a, b
ps = [P(2, 'x'), P(1, 'y')]
r = [p.b for p in sorted(ps, key=attrgetter('a'))], max(ps, key=attrgetter('a', 'b')).b
try: itemgetter(5)([1])
except IndexError: s = 'i'
try: attrgetter('zz')(ps[0])
except AttributeError: t = 'a'
u = itemgetter(slice(0, 2))([1, 2, 3])",
    "import collections.abc as ca
class It:
    def __iter__(self): return iter([])
class Sz:
    def __len__(self): return 0
r = isinstance(It(), ca.Iterable), isinstance(Sz(), ca.Sized), isinstance(It(), ca.Sequence), isinstance('a', (ca.Mapping, ca.Sequence)), isinstance(len, ca.Callable), isinstance(It, ca.Callable)
s = isinstance((x for x in []), ca.Iterator), isinstance(iter([]), ca.Iterable), isinstance({}.keys(), ca.Set)",
    "import functools
@functools.lru_cache
def f(a, b=2): calls.append((a, b)); return a
calls = []
f(1); f(1, 2); f(1, b=2); f(a=1); f(b=2, a=1); f(a=1, b=2)
r = calls
f.cache_clear(); f(1)
s = len(calls)
try: f([])
except TypeError: t = 'unh'",
    "import functools
class C:
    def __init__(self): self.n = 0
    @functools.lru_cache(maxsize=None)
    def m(self, k): self.n += 1; return k
c = C()
c.m(1); c.m(1); c.m(2); C().m(1)
r = c.n",
    r#"import contextlib
@contextlib.contextmanager
def cm(): 
    "d"
    yield 1
r = cm.__name__, cm.__wrapped__.__name__
cm.x = 1
s = cm.x, hasattr(cm.__wrapped__, 'x')"#,
    "def f(): pass
f.a = f
r = f.a.a is f, f.__dict__['a'] is f
def g(): return g.n
g.n = 4
s = g()
vars(g)['n'] = 5
t = g()",
    "def make():
    def f(): f.count += 1; return f.count
    f.count = 0
    return f
a, b = make(), make()
a(); a(); b()
r = a.count, b.count
if a.count > 1: a.count = 10
s = a.count
for q in range(2): b.count += q
t = b.count",
    "class D:
    def __get__(self, o, t): return lambda: (o is None, t.__name__)
class C:
    d = D()
    @staticmethod
    def st(): return 1
    st.__func__.mark = 5 if False else 5
r = C.d(), C().d()",
    "class M(type):
    def __call__(cls, *a): return (cls.__name__, a)
class C(metaclass=M): pass
r = C(1)",
    "import types
def f(): return 1
g = types.FunctionType(f.__code__, globals(), 'g')
r = g()",
    "def f(a, b=1, *c, d=2, **e): return a
r = f.__code__.co_argcount, f.__code__.co_varnames[:2], f.__kwdefaults__
s = f(3)",
    "x = 1
def f():
    exec('x = 5')
    return x
r = f()
exec('y = 3')
s = y
t = eval('x + 1')",
    "class C:
    def __init__(self): self.__dict__['z'] = 1; self.__dict__.update(w=2)
    def __setattr__(self, k, v): self.__dict__[k] = v * 2
c = C()
c.q = 3
r = c.z, c.w, c.q, sorted(c.__dict__)",
    "import copy
def f(): pass
f.x = [1]
g = copy.copy(f)
r = g is f
h = copy.deepcopy(f)
s = h is f",
    // Members of enumerations whose values are not known.
    "import math, copy, functools, itertools, operator, collections, contextlib, os
D = {'3': [1]}
N = -4
with contextlib.suppress(Exception):
    from enum import Flag, auto
    r0 = F.C.value, (F.A | F.C).value, bool(F.A & F.B), F.A in (F.A | F.B), F.B.name
class W5:
    from enum import IntEnum, auto
    class E(IntEnum):
        A = auto()
        B = auto()
        C = 10
        D = auto()
    r5 = E.A == 1, E.B + 1, E.D.value, int(E.C), [0, 1, 2][E.A], E.A < E.B, sorted([E.C, E.A])[0].name, range(3)[E.A], E.C // 3
try:
    D.setdefault('3', []).append(N)
except (ValueError, LookupError):
    x6 = 1",
    "import time
from enum import IntEnum
zero = int(time.time() * 0)
class E(IntEnum):
    A = zero
    B = zero + 1
r = [1]
s = E.A < E.B
r.append(2)
t = [isinstance(E.A, int), isinstance(E.A, str)]
u = 'bit' if hasattr(E.A, 'bit_length') else 'none'
r.append(u)",
    "import time
from enum import Enum
zero = int(time.time() * 0)
class E(Enum):
    A = 0
    B = zero
    C = zero + 1
r = len(E), [e.name for e in E]
s = E.B.name, E.A is E.B
t = E.A.name
u = E(0).name",
    "import time
from enum import Enum
class E(str, Enum):
    A = 'a' * int(time.time() * 0 + 1)
    B = 'b'
r = []
try:
    r.append(len(E.A))
    r.append(E.A[0])
    r.append(E.A < E.B)
    r.append([c for c in E.B])
    r.append(E.A.upper())
except (TypeError, AttributeError):
    r.append('none')
r.append(3)",
    "from enum import Enum
class E(Enum):
    A, B = range(2)
    C = D = 7
    _E = 4
    _s_ = 9 if False else 5
try:
    r = E.A == 0, E.A.value, E.D is E.C, E.D.name, E._E.value, len(E), [e.name for e in E]
except Exception as e:
    r = type(e).__name__",
    "from enum import Enum
class E(Enum):
    A, B = range(2)
    C = D = 7
    _E = 4
r = E.A == 0, E.A.value, E.D is E.C, E.D.name, E._E.value, len(E), [e.name for e in E]",
    "from enum import Enum, IntEnum
class E(int, Enum):
    A = '5'
    B = True
class F(str, Enum):
    A = 1
    B = ('b',)
class G(IntEnum):
    A = 1.5
r = E.A == 5, E.A.value, E.B.value, F.A == '1', F.A.value, F.B.value, G.A.value",
    "from enum import Enum
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int = 2
class E(P, Enum):
    A = 1, 3
    B = 4
r = E.A.x, E.B.y
s = hasattr(E.A, 'x')",
    "from enum import Enum
class E(Enum):
    for v in [3]:
        pass
    if v:
        A = 1
try:
    r = E.v.value, E.A == 1
except Exception:
    r = 'none'",
    "from enum import Flag, IntFlag
class F(Flag):
    R = 1
    W = 2
    RW = 3
r = F(3) is F.RW, F.R | F.W is F.RW, F.RW.value
s = [hasattr(F.R, '__and__'), isinstance(F.R, int)]
class G(IntFlag):
    R = 1
    W = 2
t = isinstance(G.R, int), G.R < G.W, hasattr(G.R, 'bit_length'), [m.name for m in G], len(G)",
    "from enum import Enum
class E(str, Enum):
    A = 'a'
    B = 'b'
r = E.A < E.B, max(E.A, E.B).name, sorted([E.B, E.A])[0].value, 'A' < E.A, len(E.A), E.A[0], [c for c in E.B]",
    // Objects that are changed through a value that is not known.
    "import time
A = [1]
B = A
r3 = A, 5
(A if time.time() > 0 else B).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
(A if time.time() > 0 else B).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
[A, B][int(time.time() * 0)].append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
(time.time() < 1 and B or A).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
def pick(v):
    if time.time() > 0:
        return A
    return v
pick(B).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
if time.time() > 0:
    x = A
else:
    x = B
x.append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
x = B
for i in range(int(time.time() * 0) + 2):
    x.append(2)
    x = A",
    "import time
A = [1]
B = [2]
r3 = A, 5
x = {'a': A, 'b': B}
x['a' * int(time.time() * 0 + 1)].append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
x = max(A, B, key=lambda v: time.time() * 0 + v[0])
x.append(5)",
    "import time
A = [1]
r3 = A, 5
class U3:
    v = int(time.time() * 0) + 9
    def __lt__(self, o): return self.v < o.v
u3 = U3()
r4 = u3 < U3()
if u3.v > 0:
    u3.w = 3
A.append(3)",
    "import time
A = [1]
r3 = A, 5
class U3:
    v = int(time.time() * 0) + 9
    def __lt__(self, o): return self.v < o.v
u3 = U3()
r4 = u3 < U3()
A.append(3)",
    "import time
A = [1]
r3 = A, 5
class U3:
    v = int(time.time() * 0) + 9
    def __lt__(self, o): return self.v < o.v
try:
    u3 = U3()
    r4 = u3 < U3()
    A.append(3)
except ValueError:
    x = 1
else:
    x = 2",
    "import time
A = [1]
r3 = A, 5
class U3:
    w = 3
    v = int(time.time() * 0) + 9
try:
    u3 = U3()
    if u3.v > 0:
        u3.w = 3
    N = u3.w
except ValueError:
    x = 1
else:
    x = 2
q = A",
    "try:
    import time
    class U3:
        v = int(time.time() * 0) + 9
        def __init__(self): self.x = self.v
    u3 = U3()
    if u3.x > 0:
        u3.w = 3
except (ValueError, LookupError):
    y3 = 3",
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
