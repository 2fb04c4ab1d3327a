//! Python that is evaluated while kernels are traced: each construct with a size that fits, and with
//! one that does not. The second is found only where the construct was evaluated.

use a2lint::check::{Analysis, Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;

/// A kernel whose buffer has `n` rows of 1 KB.
const KERNEL: &str = r#"from easyasc.a2 import *
{before}

@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    {line}
    a = Tensor(DT.float, [n, 256], Position.UB)
    with auto_sync():
        a[0:8, 0:256] <<= x[0:8, 0:256]
        y[0:8, 0:256] <<= a[0:8, 0:256]
    return y
"#;

/// Rows that fit UB, and rows that do not.
const FITS: &str = "64";
const OVERFLOWS: &str = "256";

fn analysed(text: &str) -> Analysis {
    let settings = Settings {
        replay: false,
        ..Settings::default()
    };
    check(&SourceText::new(text), Language::Easyasc, &settings)
}

fn names(analysis: &Analysis) -> Vec<&'static str> {
    let findings = analysis.findings.iter();
    findings.map(|finding| finding.name).collect()
}

/// Every construct in its kernel, without mistakes.
pub fn texts() -> Vec<String> {
    let constructs = CONSTRUCTS
        .iter()
        .chain(OPERATORS)
        .map(|(before, line)| kernel(before, line));
    let factories = FACTORIES.iter().map(|(text, _)| factory(text));
    let device = DEVICE
        .iter()
        .map(|(before, body, wait)| launched(before, body).replace("WAIT", wait));
    let texts = constructs.chain(factories).chain(device);
    texts.map(|text| text.replace("ROWS", FITS)).collect()
}

fn kernel(before: &str, line: &str) -> String {
    let indented = line.replace('\n', "\n    ");
    KERNEL
        .replace("{before}", before)
        .replace("{line}", &indented)
}

fn with(before: &str, line: &str, rows: &str) -> Analysis {
    analysed(&kernel(before, line).replace("ROWS", rows))
}

/// Operators that classes define.
const OPERATORS: &[(&str, &str)] = &[
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

/// What stands before the kernel, and the lines in it that make `n`.
const CONSTRUCTS: &[(&str, &str)] = &[
    // Classes.
    ("class C:\n    rows = ROWS", "n = C.rows"),
    ("class C:\n    rows = ROWS", "n = C().rows"),
    (
        "class C:\n    rows = ROWS\n    half = rows // 2",
        "n = C.half * 2",
    ),
    (
        "class C:\n    def __init__(self, rows):\n        self.rows = rows",
        "n = C(ROWS).rows",
    ),
    (
        "class C:\n    def __init__(self, rows=1):\n        self.rows = rows",
        "n = C(rows=ROWS).rows",
    ),
    (
        "class C:\n    def rows(self):\n        return ROWS",
        "n = C().rows()",
    ),
    (
        "class C:\n    @property\n    def rows(self):\n        return ROWS",
        "n = C().rows",
    ),
    (
        "class C:\n    @staticmethod\n    def rows(k):\n        return k * ROWS",
        "n = C.rows(1)",
    ),
    (
        "class C:\n    base = ROWS\n    @classmethod\n    def rows(cls):\n        return cls.base",
        "n = C.rows()",
    ),
    (
        "class A:\n    rows = ROWS\nclass B(A):\n    pass",
        "n = B().rows",
    ),
    (
        "class A:\n    rows = 1\n    def get(self):\n        return self.rows\nclass B(A):\n    rows = ROWS",
        "n = B().get()",
    ),
    (
        "class A:\n    def __init__(self, n):\n        self.n = n\nclass B(A):\n    def __init__(self, n):\n        super().__init__(n)\n        self.m = 1",
        "n = B(ROWS).n",
    ),
    (
        "class C:\n    def __call__(self):\n        return ROWS",
        "n = C()()",
    ),
    (
        "class C:\n    def __getitem__(self, at):\n        return at * ROWS",
        "n = C()[1]",
    ),
    (
        "class C:\n    def __len__(self):\n        return ROWS",
        "n = len(C())",
    ),
    ("class C:\n    pass", "c = C()\nc.rows = ROWS\nn = c.rows"),
    ("class C:\n    rows = 1\nC.rows = ROWS", "n = C.rows"),
    (
        "import functools\nclass C:\n    @functools.cached_property\n    def rows(self):\n        return ROWS",
        "n = C().rows",
    ),
    // Dataclasses and their like.
    (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    rows: int = ROWS",
        "n = C().rows",
    ),
    (
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass C:\n    m: int\n    rows: int = 1",
        "n = C(2, ROWS).rows",
    ),
    (
        "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    all: list = field(default_factory=lambda: [ROWS])",
        "n = C().all[0]",
    ),
    (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    m: int = 1\n    def __post_init__(self):\n        self.rows = self.m * ROWS",
        "n = C().rows",
    ),
    (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    m: int = 1\n@dataclass\nclass B(A):\n    rows: int = 2",
        "n = B(rows=ROWS).rows",
    ),
    (
        "import dataclasses\n@dataclasses.dataclass\nclass C:\n    rows: int = 1\nD = dataclasses.replace(C(), rows=ROWS)",
        "n = D.rows",
    ),
    (
        "from dataclasses import dataclass, asdict\n@dataclass\nclass C:\n    rows: int = ROWS",
        "n = asdict(C())['rows']",
    ),
    (
        "from collections import namedtuple\nT = namedtuple('T', 'rows columns')",
        "n = T(ROWS, 2).rows",
    ),
    (
        "from collections import namedtuple\nT = namedtuple('T', ['rows', 'columns'], defaults=(1,))",
        "n, m = T(ROWS)",
    ),
    (
        "from typing import NamedTuple\nclass T(NamedTuple):\n    rows: int = 1\n    m: int = 2",
        "n = T(ROWS)._replace(m=3).rows",
    ),
    (
        "from types import SimpleNamespace",
        "n = SimpleNamespace(rows=ROWS).rows",
    ),
    // Enumerations.
    (
        "from enum import Enum\nclass M(Enum):\n    FAST = ROWS\n    SLOW = 1",
        "n = M.FAST.value",
    ),
    (
        "from enum import IntEnum\nclass M(IntEnum):\n    FAST = ROWS",
        "n = M.FAST",
    ),
    (
        "from enum import Enum, auto\nclass M(Enum):\n    A = auto()\n    B = auto()",
        "n = {M.A: 1, M.B: ROWS}[M.B]",
    ),
    (
        "from enum import Enum\nclass M(Enum):\n    A = 'a'\n    B = 'b'",
        "n = ROWS if M('b') is M.B else 1",
    ),
    (
        "from enum import Enum\nclass M(Enum):\n    A = 1\n    B = ROWS",
        "n = max(m.value for m in M)",
    ),
    (
        "from enum import Enum\nclass M(Enum):\n    A = ROWS",
        "n = M['A'].value",
    ),
    // Functions.
    ("", "n = (lambda rows: rows * 2)(ROWS) // 2"),
    ("pick = lambda rows=ROWS: rows", "n = pick()"),
    (
        "def make(k):\n    def inner(m):\n        return k * m\n    return inner",
        "n = make(ROWS)(1)",
    ),
    ("fs = [lambda i=i: i for i in [1, ROWS]]", "n = fs[1]()"),
    (
        "def f(**options):\n    return options['rows']",
        "n = f(rows=ROWS, m=1)",
    ),
    (
        "def f(*all, rows=1):\n    return rows + sum(all)",
        "n = f(1, -1, rows=ROWS)",
    ),
    (
        "def f(a, rows):\n    return rows\noptions = dict(rows=ROWS)",
        "n = f(1, **options)",
    ),
    (
        "total = 0\ndef f():\n    global total\n    total = ROWS\nf()",
        "n = total",
    ),
    (
        "def f():\n    k = 1\n    def g():\n        nonlocal k\n        k = ROWS\n    g()\n    return k",
        "n = f()",
    ),
    (
        "def f(m):\n    return ROWS if m == 0 else f(m - 1)",
        "n = f(5)",
    ),
    ("import functools", "n = functools.partial(max, ROWS)(5)"),
    (
        "from functools import partial\ndef f(a, rows=1):\n    return rows",
        "n = partial(f, rows=ROWS)(1)",
    ),
    (
        "from functools import reduce",
        "n = reduce(lambda p, q: p * q, [ROWS, 1, 1])",
    ),
    (
        "import functools\n@functools.lru_cache(maxsize=None)\ndef f(m):\n    return m * ROWS",
        "n = f(1)",
    ),
    (
        "from functools import cache\n@cache\ndef f(m):\n    return m * ROWS",
        "n = f(1)",
    ),
    (
        "import functools\ndef plain(f):\n    @functools.wraps(f)\n    def inner(*args, **kw):\n        return f(*args, **kw)\n    return inner\n@plain\ndef rows(m):\n    return m * ROWS",
        "n = rows(1)",
    ),
    (
        "def times(k):\n    def outer(f):\n        return lambda m: k * f(m)\n    return outer\n@times(ROWS)\ndef one(m):\n    return m",
        "n = one(1)",
    ),
    (
        "TABLE = {}\ndef register(f):\n    TABLE[f.__name__] = f\n    return f\n@register\ndef rows():\n    return ROWS",
        "n = TABLE['rows']()",
    ),
    // Control flow.
    (
        "MODE = 2",
        "match MODE:\n    case 1:\n        n = 1\n    case 2:\n        n = ROWS\n    case _:\n        n = 3",
    ),
    (
        "MODE = 'b'",
        "match MODE:\n    case 'a':\n        n = 1\n    case 'b' | 'c':\n        n = ROWS",
    ),
    (
        "MODE = 7",
        "match MODE:\n    case 1:\n        n = 1\n    case m if m > 5:\n        n = ROWS\n    case _:\n        n = 2",
    ),
    (
        "MODE = ROWS",
        "match MODE:\n    case 1:\n        n = 1\n    case other:\n        n = other",
    ),
    (
        "try:\n    rows = ROWS\nexcept ImportError:\n    rows = 1",
        "n = rows",
    ),
    (
        "try:\n    raise ValueError('no')\nexcept ValueError:\n    rows = ROWS",
        "n = rows",
    ),
    (
        "try:\n    m = 1\nexcept ValueError:\n    rows = 1\nelse:\n    rows = ROWS\nfinally:\n    m = 2",
        "n = rows",
    ),
    (
        "def pick(m):\n    if m == 1:\n        return ROWS\n    raise ValueError(m)",
        "n = pick(1)",
    ),
    ("", "i = 1\nwhile i < ROWS:\n    i *= 2\nn = i"),
    ("", "n = ROWS if True else 1"),
    ("", "n = (m := ROWS)"),
    ("", "first, *rest = [1, 2, ROWS]\nn = rest[-1]"),
    ("", "*rest, last = [1, 2, ROWS]\nn = last"),
    // Generators and comprehensions.
    ("def gen():\n    yield 1\n    yield ROWS", "n = max(gen())"),
    ("def gen():\n    yield from [1, ROWS]", "n = list(gen())[1]"),
    (
        "def gen(m):\n    for i in [1, 2]:\n        yield i * m",
        "n = sum(gen(ROWS)) // 3",
    ),
    (
        "",
        "n = sum(p * q for p in [1, 2] for q in [ROWS] if p == 1)",
    ),
    ("", "n = {p: q for p, q in [('a', 1), ('b', ROWS)]}['b']"),
    ("", "n = max({p for p in [1, ROWS, ROWS]})"),
    (
        "",
        "n = [[q for q in [p, p * 2]] for p in [ROWS // 2]][0][1]",
    ),
    // Builtins.
    ("", "n = max(map(lambda p: p * 2, [1, ROWS // 2]))"),
    ("", "n = list(filter(lambda p: p > 5, [1, ROWS]))[0]"),
    ("", "n = sorted([ROWS, 1, 2], reverse=True)[0]"),
    (
        "",
        "n = sorted([('a', 1), ('b', ROWS)], key=lambda it: -it[1])[0][1]",
    ),
    ("", "n = list(reversed([ROWS, 2]))[1]"),
    ("", "n = dict(zip(['a', 'b'], [1, ROWS]))['b']"),
    (
        "",
        "n = [q for p, q in enumerate([1, ROWS], start=1) if p == 2][0]",
    ),
    ("", "n = ROWS if any([False, 1]) and all([1, True]) else 1"),
    ("", "n = divmod(ROWS * 3, 3)[0]"),
    ("", "n = int('ROWS')"),
    ("", "n = round(ROWS + 0.2)"),
    ("", "n = pow(ROWS, 1)"),
    ("", "n = len([0] * ROWS)"),
    ("", "n = len((0, 1) * (ROWS // 2))"),
    ("", "n = min([ROWS, 9000], key=lambda it: it)"),
    ("class C:\n    rows = ROWS", "n = getattr(C, 'rows')"),
    (
        "class C:\n    rows = 1",
        "n = getattr(C(), 'columns', ROWS)",
    ),
    (
        "class C:\n    rows = ROWS",
        "n = C.rows if hasattr(C, 'rows') and not hasattr(C(), 'm') else 1",
    ),
    (
        "def f(m):\n    return ROWS if isinstance(m, int) else 1",
        "n = f(3)",
    ),
    (
        "def f(m):\n    return ROWS if isinstance(m, (list, tuple)) else 1",
        "n = f((1,))",
    ),
    (
        "class A:\n    pass\nclass B(A):\n    pass",
        "n = ROWS if isinstance(B(), A) else 1",
    ),
    (
        "class C:\n    pass",
        "c = C()\nsetattr(c, 'rows', ROWS)\nn = c.rows",
    ),
    // Containers.
    ("", "d = {'m': 1}\nd.update(rows=ROWS)\nn = d['rows']"),
    ("", "d = {**{'rows': 1}, 'rows': ROWS}\nn = d['rows']"),
    ("", "n = ({'rows': 1} | {'rows': ROWS})['rows']"),
    ("", "n = {'m': 1}.get('rows', ROWS)"),
    ("", "d = {}\nd.setdefault('rows', ROWS)\nn = d.pop('rows')"),
    ("", "l = [3, ROWS]\nl.sort()\nl.insert(0, 1)\nn = l.pop()"),
    ("", "n = [1, 5, ROWS][[4, 5, 6].index(6)]"),
    ("", "n = ROWS if 'al' in 'half' and 3 not in (1, 2) else 1"),
    ("", "n = max({1, 2} | {ROWS})"),
    // Text.
    ("", "n = {'rows_2': ROWS}[f'rows_{1 + 1}']"),
    ("", "n = {'rows_02': ROWS}[f'rows_{2:02d}']"),
    ("", "n = {'rows_2': ROWS}['rows_{}'.format(2)]"),
    ("", "n = {'a-b': ROWS}['-'.join(['a', 'b'])]"),
    ("", "n = int('1,ROWS'.split(',')[1])"),
    (
        "",
        "n = ROWS if 'half'.startswith('ha') and 'A'.lower() == 'a' else 1",
    ),
    // Libraries.
    (
        "import itertools",
        "n = max(p * q for p, q in itertools.product([1, 2], [ROWS // 2]))",
    ),
    ("from itertools import chain", "n = max(chain([1], [ROWS]))"),
    (
        "import itertools",
        "n = list(itertools.chain.from_iterable([[1], [ROWS]]))[1]",
    ),
    (
        "from itertools import accumulate",
        "n = list(accumulate([1, ROWS, -1]))[-1]",
    ),
    (
        "import operator\nfrom functools import reduce",
        "n = reduce(operator.mul, [ROWS, 1])",
    ),
    ("import math", "n = math.prod([ROWS, 1]) * math.gcd(3, 4)"),
    ("from math import ceil, log2", "n = 2 ** ceil(log2(ROWS))"),
    ("import numpy as np", "n = int(np.sqrt(ROWS * ROWS))"),
    ("import numpy as np", "n = int(np.prod([ROWS, 1]))"),
    ("import numpy as np", "n = 2 ** int(np.log2(ROWS))"),
    (
        "import numpy as np",
        "n = ROWS * np.dtype('float16').itemsize // 2",
    ),
    ("import numpy as np", "n = int(np.ceil(ROWS / 3)) * 3"),
    ("import os", "n = int(os.environ.get('A2_ROWS', 'ROWS'))"),
    ("import os", "n = int(os.getenv('A2_ROWS', 'ROWS'))"),
    (
        "from typing import cast, Optional\nrows: Optional[int] = ROWS",
        "n = cast(int, rows)",
    ),
    ("import copy", "n = copy.deepcopy([ROWS])[0]"),
    ("import torch", "n = ROWS * torch.float16.itemsize // 2"),
];

#[test]
fn constructs_are_evaluated() {
    let mut wrong = Vec::new();
    for (before, line) in CONSTRUCTS.iter().chain(OPERATORS) {
        let bad = with(before, line, OVERFLOWS);
        let good = with(before, line, FITS);
        let unknown = bad
            .records
            .iter()
            .flat_map(|record| &record.unknown)
            .count();
        if names(&bad) != ["ub-overflow"] || !names(&good).is_empty() || unknown > 0 {
            wrong.push(format!(
                "{before}\n{line}\n  {:?} {:?} {unknown} {:?}",
                names(&bad),
                names(&good),
                bad.findings.first().map(|finding| &finding.message)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        CONSTRUCTS.len() + OPERATORS.len(),
        wrong.join("\n")
    );
}

/// Factories, and how they are called; `ROWS` decides whether what they build fits.
const FACTORIES: &[(&str, &str)] = &[
    (
        "def build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\nk = build(ROWS)",
        "build[T=ROWS]",
    ),
    (
        "import functools\n@functools.lru_cache(maxsize=None)\ndef build(device, T=4):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\nbuild('a2', T=ROWS)",
        "build[device=a2, T=ROWS]",
    ),
    (
        "def build(T):\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return kernel(mode='vec')(k)\nk = build(ROWS)",
        "build[T=ROWS]",
    ),
    (
        "T = ROWS\ndef k(x: GMTensor, y: GMTensor):\nBODY\nk = kernel(mode='vec')(k)",
        "k",
    ),
    (
        "T = ROWS\ndef k(x: GMTensor, y: GMTensor):\nBODY\nk = kernel(k)",
        "k",
    ),
    (
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Tile:\n    rows: int\ndef build(tile):\n    T = tile.rows\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\nk = build(Tile(ROWS))",
        "build[tile=Tile(rows=ROWS)]",
    ),
    (
        "def build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\ndef test_k():\n    x = torch.randn(8, 256)\n    OpExec(build(ROWS))(x, x)",
        "build[T=ROWS]",
    ),
    (
        "def build(T):\n    @kernel(mode='vec')\n    def first(x: GMTensor, y: GMTensor):\nBODY\n    @kernel(mode='vec')\n    def second(x: GMTensor, y: GMTensor):\n        a = Tensor(DT.float, [8, 64], Position.UB)\n        with auto_sync():\n            a <<= x[0:8, 0:64]\n            y[0:8, 0:64] <<= a\n        return y\n    return first, second\nf, s = build(ROWS)",
        "build[T=ROWS].first",
    ),
    (
        "class Op:\n    def __init__(self, T):\n        @kernel(mode='vec')\n        def k(x: GMTensor, y: GMTensor):\nBODY\n        self.k = k\nop = Op(ROWS)",
        "__init__[T=ROWS]",
    ),
    (
        "def build(T=ROWS):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k",
        "k",
    ),
    (
        "def timed(f):\n    def inner(*args):\n        return f(*args)\n    return inner\nT = ROWS\n@timed\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\nBODY\nx = torch.randn(8, 256)\nk(x, x)",
        "k",
    ),
];

/// A factory with the body of its kernel.
fn factory(text: &str) -> String {
    const BODY: &str = "a = Tensor(DT.float, [T, 256], Position.UB)\nwith auto_sync():\n    a[0:8, 0:256] <<= x[0:8, 0:256]\n    y[0:8, 0:256] <<= a[0:8, 0:256]\nreturn y";
    let lines = text.lines().collect::<Vec<_>>();
    let at = lines.iter().position(|line| *line == "BODY").unwrap();
    let before = lines[at - 1];
    let indent = before.len() - before.trim_start().len() + 4;
    let body = BODY.lines().map(|line| format!("{:indent$}{line}", ""));
    let body = body.collect::<Vec<_>>().join("\n");
    let head = "from easyasc.a2 import *\nimport torch\n";
    format!("{head}{}\n", text.replace("BODY", &body))
}

#[test]
fn factories_build_kernels() {
    for (text, name) in FACTORIES {
        let of = |rows: &str| analysed(&factory(text).replace("ROWS", rows));
        let (bad, good) = (of(OVERFLOWS), of(FITS));
        let kernels: Vec<&str> = bad
            .module
            .programs
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        assert!(
            kernels.contains(&name.replace("ROWS", OVERFLOWS).as_str()),
            "{text}\n{kernels:?}"
        );
        assert_eq!(names(&bad), ["ub-overflow"], "{text}\n{kernels:?}");
        assert_eq!(names(&good), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn instances_are_kernels_of_their_own() {
    let text = "from easyasc.a2 import *\nimport torch\ndef build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\n        a = Tensor(DT.float, [T, 256], Position.UB)\n        with auto_sync():\n            a[0:8, 0:256] <<= x[0:8, 0:256]\n            y[0:8, 0:256] <<= a[0:8, 0:256]\n        return y\n    return k\nfor T in [8, 16, 8, 256, 512]:\n    x = torch.randn(8, 256)\n    OpExec(build(T))(x, x)\n";
    let analysis = analysed(text);
    let kernels: Vec<&str> = analysis
        .module
        .programs
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(
        kernels,
        ["build[T=8]", "build[T=16]", "build[T=256]", "build[T=512]"]
    );
    let launched: Vec<&str> = analysis
        .module
        .launches
        .iter()
        .map(|it| it.kernel.as_str())
        .collect();
    assert_eq!(launched, kernels);
    // Two sizes, two findings: they do not say the same.
    assert_eq!(names(&analysis), ["ub-overflow", "ub-overflow"]);
}

/// Python that does something on the device: a race is there where `exp` does not wait.
const DEVICE: &[(&str, &str, &str)] = &[
    (
        "class Pair:\n    def __init__(self, rows):\n        self.a = Tensor(DT.float, [rows, 64], Position.UB)\n    def load(self, x):\n        self.a <<= x[0:64, 0:64]\n    def work(self):\n        exp(self.a, self.a)",
        "p = Pair(64)\np.load(x)\nWAIT\np.work()\nbar_all()\ny[0:64, 0:64] <<= p.a",
        "bar_all()",
    ),
    (
        "from contextlib import contextmanager\n@contextmanager\ndef loaded(a, x):\n    a <<= x[0:64, 0:64]\n    WAIT\n    yield a\n    bar_all()",
        "a = Tensor(DT.float, [64, 64], Position.UB)\nwith loaded(a, x) as t:\n    exp(t, t)\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "class Guard:\n    def __enter__(self):\n        return 1\n    def __exit__(self, *all):\n        WAIT",
        "a = Tensor(DT.float, [64, 64], Position.UB)\nwith Guard():\n    a <<= x[0:64, 0:64]\nexp(a, a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "from functools import partial\ndef step(f, t):\n    f(t, t)",
        "a = Tensor(DT.float, [64, 64], Position.UB)\na <<= x[0:64, 0:64]\nWAIT\nrun = partial(step, exp)\nrun(a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "def counted(f):\n    def inner(t):\n        f(t)\n        WAIT\n    return inner\n@counted\ndef load(t):\n    t[0] <<= t[1][0:64, 0:64]",
        "a = Tensor(DT.float, [64, 64], Position.UB)\nload([a, x])\nexp(a, a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "",
        "a = Tensor(DT.float, [64, 64], Position.UB)\na <<= x[0:64, 0:64]\nfor wait in [lambda: WAIT]:\n    wait()\nexp(a, a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
];

/// A kernel with a launch.
fn launched(before: &str, body: &str) -> String {
    let body = body.replace('\n', "\n    ");
    format!(
        "from easyasc.a2 import *\n{before}\n\n# a2lint: launch(x=float[64, 64], y=float[64, 64])\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\n    {body}\n    return y\n"
    )
}

#[test]
fn what_python_does_on_the_device_is_followed() {
    for (before, body, wait) in DEVICE {
        let of = |wait: &str| {
            let text = launched(before, body);
            let settings = Settings {
                replay_work: 100_000,
                ..Settings::default()
            };
            check(
                &SourceText::new(text.replace("WAIT", wait)),
                Language::Easyasc,
                &settings,
            )
        };
        let (bad, good) = (of("print()"), of(wait));
        assert_eq!(names(&bad), ["race"], "{before}\n{body}");
        assert!(
            !names(&good).contains(&"race"),
            "{before}\n{body}\n{:?}",
            names(&good)
        );
        let unknown = bad
            .records
            .iter()
            .flat_map(|record| &record.unknown)
            .count();
        assert_eq!(unknown, 0, "{before}\n{body}");
    }
}

#[test]
fn constructs_cut_anywhere_are_survived() {
    use rayon::prelude::*;
    CONSTRUCTS.par_iter().for_each(|(before, line)| {
        let indented = line.replace('\n', "\n    ");
        let text = KERNEL
            .replace("{before}", before)
            .replace("{line}", &indented);
        let text = text.replace("ROWS", FITS);
        for at in (0..text.len()).step_by(11) {
            analysed(&text[..at]);
            // A piece is missing, or there twice.
            let end = (at + 5).min(text.len());
            analysed(&format!("{}{}", &text[..at], &text[end..]));
            analysed(&format!("{}{}", &text[..end], &text[at..]));
        }
    });
}

/// Python that is there to be too much, and a few words of what is said of it; nothing where it is read.
const HOSTILE: &[(&str, &str)] = &[
    ("def f(m):\n    return f(m)\nf(1)", "nest too deeply"),
    (
        "class C:\n    @property\n    def x(self):\n        return self.x\nC().x",
        "nest too deeply",
    ),
    (
        "class C:\n    def __getitem__(self, at):\n        return self[at]\nC()[0]",
        "nest too deeply",
    ),
    (
        "def d(f):\n    return d(f)\n@d\ndef g():\n    pass",
        "nest too deeply",
    ),
    ("f = lambda g: g(g)\nf(f)", "nest too deeply"),
    (
        "def gen():\n    while True:\n        yield 1\nmax(gen())",
        "steps",
    ),
    (
        "import itertools\nx = list(itertools.product([1, 2], repeat=1000000000))",
        "items or more",
    ),
    (
        "import itertools\nx = list(itertools.product(repeat=1000000000))",
        "steps",
    ),
    ("s = 'a'\nwhile True:\n    s = f'{s}{s}'", "steps"),
    ("x = [0]\nwhile True:\n    x = x + x", "steps"),
    (
        "x = []\nx.append(x)\ny = x == x\nz = f'{x}'\ns = sorted([x, x])",
        "",
    ),
    ("d = {}\nd['d'] = d\ny = d == d", ""),
    ("class C:\n    pass\nc = C()\nc.c = c\nx = c == c", ""),
    (
        "from functools import partial\nf = max\nfor i in unroll(100000):\n    f = partial(f)\n",
        "",
    ),
    (
        "from types import SimpleNamespace\nx = None\nfor i in unroll(100000):\n    x = SimpleNamespace(x=x)\n",
        "",
    ),
    (
        "import functools\n@functools.partial(functools.partial)\ndef f():\n    pass",
        "",
    ),
    ("class A(A):\n    pass", ""),
    (
        "import enum\nclass M(enum.Enum):\n    A = enum.auto()\n    B = A\nx = list(M)",
        "",
    ),
    (
        "x = sorted([1, 'a', None, (1, 2)])\ny = min([])\nz = [][0]\nw = {}['a']",
        "",
    ),
    ("a, *b, c, *d = [1]\n*e, = 5", ""),
    (
        "x = 'a'.replace('', 'b') * 5\ny = '{'.format(1)\nz = '{:99999999d}'.format(1)",
        "",
    ),
    (
        "x = 2 ** 10 ** 10\ny = 1 << 10 ** 10\nz = round(1e300) + int(1e300)",
        "",
    ),
    ("yield 1\nreturn 2\nraise ValueError", ""),
];

#[test]
fn too_much_is_a_named_outcome() {
    for (text, words) in HOSTILE {
        let analysis = analysed(&format!(
            "from easyasc.a2 import *\n{text}\n{}",
            KERNEL
                .replace("{before}", "")
                .replace("{line}", "n = 64")
                .replace("from easyasc.a2 import *", "")
        ));
        let reasons: Vec<&str> = analysis
            .not_analysed()
            .iter()
            .map(|it| it.reason.as_str())
            .collect();
        let said = reasons.iter().any(|reason| reason.contains(words));
        assert!(said || words.is_empty(), "{text}: {reasons:?}");
        assert!(
            reasons.is_empty() || !words.is_empty(),
            "{text}: {reasons:?}"
        );
        assert_eq!(analysis.module.programs.len(), 1, "{text}");
    }
    let mut deep = String::from("class A0:\n    x = 1\n");
    for at in 1..3000 {
        deep += &format!("class A{at}(A{}):\n    pass\n", at - 1);
    }
    let mut wide = String::from("class A0:\n    x = 1\n");
    for at in 1..60 {
        wide += &format!("class A{at}(A{0}, A{0}):\n    pass\n", at - 1);
    }
    for text in [deep, wide + "n = A59().x\n"] {
        analysed(&format!("from easyasc.a2 import *\n{text}"));
    }
}
