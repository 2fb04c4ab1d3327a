//! Classes: attributes, descriptors, operators, inheritance, private names, metaclasses, finalizers.

pub const SNIPPETS: &[&str] = &[
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
    "import functools
@functools.total_ordering
class V:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
r = V(1) <= V(2), V(1) > V(2), V(2) >= V(2), sorted([V(3), V(1)], key=lambda x: x)[0].v",
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
    "class Node:
    def __init__(self, v, nxt=None): self.v, self.nxt = v, nxt
    def __iter__(self):
        n = self
        while n: yield n.v; n = n.nxt
    def __repr__(self): return f'N({self.v!r})'
r = list(Node(1, Node(2))), str(Node('a')), f'{Node(1)}', [Node(3)].__repr__() if False else repr([Node(3)]), '%s' % Node(2)",
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
    "class C:
    def m(self): return 1
    m.tag = 'x'
r = C.m.tag, C().m.tag, C().m.__name__, C().m.__func__ is C.m
try:
    C().m.tag = 2
    s = 'set'
except AttributeError:
    s = 'no'",
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
    "class C:
    def __init__(self): self.__dict__['z'] = 1; self.__dict__.update(w=2)
    def __setattr__(self, k, v): self.__dict__[k] = v * 2
c = C()
c.q = 3
r = c.z, c.w, c.q, sorted(c.__dict__)",
];
