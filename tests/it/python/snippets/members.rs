//! Enumerations and dataclasses.

pub const SNIPPETS: &[&str] = &[
    r#"from enum import IntEnum, Enum, IntFlag
class M(IntEnum):
    A = 1
    B = 20
class F(IntFlag):
    R = 4
r = f"{M.A}", f"{M.B:>5}", f"{F.R}", '{}'.format(M.B), M.B + 1, M.A.name"#,
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
];
