//! Host code that computes the width of a move. A width that does not fit is an error, or is reported as unknown with
//! its place; one that fits has no finding.

use a2lint::check::{Analysis, Settings, check};
use a2lint::frontend::dsl::{HostValue, host_values};
use a2lint::language::Language;
use a2lint::text::SourceText;

/// A kernel that moves `W` of 64 columns.
const KERNEL: &str = r#"from easyasc.a2 import *
{before}

@kernel()
def k(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        t[0:8, 0:W] <<= x[0:8, 0:W]
        y[0:8, 0:W] <<= t[0:8, 0:W]
    return y
"#;

/// Host code after which CPython has 128 in `W`.
pub const WIDE: &[&str] = &[
    // Starred arguments, limits of the evaluation, and attributes that built-in types do not have.
    "W = 32 * len([*range(4)])",
    "def f(n):\n    return [64] * n\na = [*f(2)]\nW = a[0] + a[1]",
    "def f(n):\n    return [64] * n\nx = *f(1), 64\nW = sum(x)",
    "W = 64\ndef deep(n):\n    return 0 if n == 0 else deep(n - 1)\ndeep(60)\nW = 128",
    "W = 64\ndef deep(n):\n    global W\n    W = 128\n    return 0 if n == 0 else deep(n - 1)\ndeep(60)",
    "W = 128 if not hasattr('a', 'foo') else 64",
    "class A:\n    __w = 128\n    def get(self): return self.__w\nclass B(A):\n    __w = 64\nW = B().get()",
    "class A:\n    def __init__(self): self.__w = 128\n    def get(self): return self.__w\nclass B(A):\n    def __init__(self):\n        super().__init__()\n        self.__w = 64\nW = B().get()",
    "try:\n    from math import no_such_name\n    W = 64\nexcept ImportError:\n    W = 128",
    "def f(a, /, b=64, **more): return more.get('a', b)\nW = f(1, a=128)",
    "def f(a, /): return 64\ntry:\n    W = f(a=1)\nexcept TypeError:\n    W = 128",
    "W = 128 if getattr([], 'shape', None) is None else 64",
    // References to functions, their attributes, and the own module.
    "import functools\ndef d(f):\n    @functools.wraps(f)\n    def inner(): return f()\n    return inner\n@d\ndef g(): pass\nW = 128 if g.__name__ == 'g' else 64",
    "import functools\nclass D:\n    def __init__(self, f):\n        functools.update_wrapper(self, f)\n@D\ndef g(): pass\nW = 128 if g.__name__ == 'g' else 64",
    "def f(w=64): return w\nf.__defaults__ = (128,)\nW = f()",
    "def f(*, w=64): return w\nf.__kwdefaults__['w'] = 128\nW = f()",
    "def f(): return 64\nf.__code__ = (lambda: 128).__code__\nW = f()",
    "def f(): pass\nf.__dict__['w'] = 128\nW = f.w",
    "import sys\nW = 64\nsetattr(sys.modules[__name__], 'W', 128)",
    "import sys\nW = 64\nvars(sys.modules['__main__']).update(W=128)",
    "import sys\nW = 64\nm = sys.modules\nm.get(__name__).__dict__['W'] = 128",
    "import importlib\nW = 64\nimportlib.import_module(__name__).W = 128",
    "W = 64\nglobals().update(W=128)",
    "W = 64\ng = globals\ng()['W'] = 128",
    "W = 64\ndef f(): pass\nf.__globals__['W'] = 128",
    "import sys\nW = 64\nsys._getframe().f_globals['W'] = 128",
    "from functools import partial\ndef f(*a): return a[-1]\np = partial(partial(f, 64), 128)\nW = p.args[-1] if p.func is f else 64",
    "W = 128 if str(OSError(2, 'm')) == '[Errno 2] m' else 64",
    "try:\n    raise OSError(2, 'm')\nexcept FileNotFoundError:\n    W = 128\nexcept OSError:\n    W = 64",
    "class C:\n    def __del__(self):\n        global W\n        W = 128\nc = C()\nW = 64\ndel c",
    "try:\n    W = 64 if len(range(2 ** 70)) else 64\nexcept OverflowError:\n    W = 128",
    "class C:\n    def __init__(self): self.__w = 128\nW = vars(C())['_C__w']",
    "class C:\n    def __init__(self): self.__w = 128\n    def get(self): return self.__w\nc = C()\nc.__w = 64\nW = c.get()",
    "class Base:\n    def w(self): return 32\ndef mix(cls):\n    class M(cls):\n        def w(self): return 48 + super().w()\n    return M\nW = mix(mix(Base))().w()",
    "def deep(n): return 0 if n == 0 else 1 + deep(n - 1)\nW = deep(500) - 372",
    "import functools\nn = []\n@functools.lru_cache(maxsize=1)\ndef f(x):\n    n.append(x)\n    return x\nf(1), f(2), f(1), f(2)\nW = len(n) * 32",
    "from math import *\nW = 2 ** int(sqrt(49))",
    "from operator import itemgetter\nW = sorted([(2, 64), (1, 128)], key=itemgetter(0))[0][1]",
    "from collections.abc import Sequence\nW = 128 if isinstance([], Sequence) and not isinstance({}, Sequence) else 64",
    // Deletions and removals.
    "a = [64, 128]\ndel a[0]\nW = a[0]",
    "a = [64, 64, 128]\ndel a[:2]\nW = a[0]",
    "a = [128, 64]\ndel a[-1:]\nW = a[-1]",
    "a = [64, 128]\na.remove(64)\nW = a[0]",
    "a = [128, 64]\na.pop()\nW = a[-1]",
    "a = [64, 128]\na.pop(0)\nW = a[0]",
    "a = [64]\na.clear()\nW = a[0] if a else 128",
    "d = {'w': 64}\ndel d['w']\nW = d.get('w', 128)",
    "d = {'w': 64}\nd.pop('w')\nW = d.setdefault('w', 128)",
    "d = {'a': 64, 'w': 128}\nW = d.popitem()[1]",
    "class C:\n    w = 128\nc = C()\nc.w = 64\ndel c.w\nW = c.w",
    "class C:\n    w = 128\nc = C()\nc.w = 64\ndelattr(c, 'w')\nW = c.w",
    "w = 64\ndel w\ntry:\n    W = w\nexcept NameError:\n    W = 128",
    "s = {64, 128}\ns.discard(64)\nW = max(s)\nW = min(s)",
    // Attribute protocols.
    "class C:\n    @property\n    def w(self): return self._w\n    @w.setter\n    def w(self, v): self._w = v * 2\nc = C()\nc.w = 64\nW = c.w",
    "class C:\n    w = 64\n    def __getattribute__(self, k): return 128\nW = C().w",
    "class C:\n    def __getattr__(self, k): return 128\nW = C().w",
    "class C:\n    def __setattr__(self, k, v): object.__setattr__(self, k, v * 2)\nc = C()\nc.w = 64\nW = c.w",
    "class D:\n    def __get__(self, o, t): return 128\n    def __set__(self, o, v): pass\nclass C:\n    w = D()\nc = C()\nc.w = 64\nW = c.w",
    "class D:\n    def __set_name__(self, owner, name): owner.width = 128\nclass C:\n    width = 64\n    d = D()\nW = C.width",
    "class C:\n    __slots__ = ('a',)\nc = C()\ntry:\n    c.w = 64\n    W = 64\nexcept AttributeError:\n    W = 128",
    "class A:\n    def __init_subclass__(cls): cls.w = 128\nclass B(A):\n    w = 64\nW = B.w",
    "class M(type):\n    def __getattribute__(cls, k): return 128\nclass C(metaclass=M):\n    w = 64\nW = C.w",
    "class C:\n    def __new__(cls): return 128\nW = C()",
    "class C: pass\nc = C()\nc.w = 64\nvars(c)['w'] = 128\nW = c.w",
    // Aliases and copies.
    "a = b = [64]\na += [128]\nW = b[-1]",
    "def f(v):\n    v += [128]\na = [64]\nf(a)\nW = a[-1]",
    "a = [[64]] * 2\na[0][0] = 128\nW = a[1][0]",
    "a = [[64]]\nb = list(a)\nb[0][0] = 128\nW = a[0][0]",
    "import copy\na = [[64]]\nb = copy.copy(a)\nb[0][0] = 128\nW = a[0][0]",
    "a = [[128]]\nb = a[:]\na[0] = [64]\nW = b[0][0]",
    "def f(v=[64]):\n    v.append(128)\n    return v[-1]\nW = f()",
    "def f(v=[]):\n    v.append(64)\n    return sum(v)\nf()\nW = f()",
    "d = {'w': 64}\ne = d\ne |= {'w': 128}\nW = d['w']",
    // Patterns.
    "match ('wide', 128):\n    case ('wide', w):\n        W = w\n    case _:\n        W = 64",
    "match {'w': 128}:\n    case {'w': w}:\n        W = w\n    case _:\n        W = 64",
    "match [64, 128]:\n    case [_, *rest]:\n        W = rest[0]\n    case _:\n        W = 64",
    "match 1:\n    case True:\n        W = 64\n    case _:\n        W = 128",
    "match -1:\n    case 1:\n        W = 64\n    case -1:\n        W = 128",
    // Laziness and exhaustion of iterators.
    "seen = []\nm = map(seen.append, [1])\nW = 64 if seen else 128",
    "m = iter([64])\nlist(m)\nW = sum(m) or 128",
    "z = zip([64], [1])\nlist(z)\nW = 64 if list(z) else 128",
    "a = [64]\ng = (v for v in a)\na.append(128)\nW = list(g)[-1]",
    "g = (v for v in [64])\nnext(g)\nW = next(g, 128)",
    "seen = []\ndef gen():\n    seen.append(1)\n    yield 1\ngen()\nW = 64 if seen else 128",
    "fs = [lambda: w for w in [64, 128]]\nW = fs[0]()",
    // Method resolution order, `super()`, context managers and exceptions.
    "class A:\n    def w(self): return 32\nclass B(A):\n    def w(self): return 32 + super().w()\nclass C(A):\n    def w(self): return 64 + super().w()\nclass D(B, C): pass\nW = D().w()",
    "import contextlib\nW = 128\nwith contextlib.suppress(KeyError):\n    {}['w']\n    W = 64",
    "def f():\n    try:\n        return 64\n    finally:\n        return 128\nW = f()",
    "try:\n    int('x')\n    W = 64\nexcept TypeError:\n    W = 64\nexcept ValueError:\n    W = 128",
    "def f():\n    raise KeyError\ntry:\n    f()\n    W = 64\nexcept LookupError:\n    W = 128",
    "class M:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\nW = 128\nwith M():\n    1 / 0\n    W = 64",
    // Libraries.
    "from collections import deque\nd = deque([128], maxlen=1)\nd.append(64)\nd.append(128)\nW = d[0]",
    "import functools\nn = []\n@functools.lru_cache\ndef f():\n    n.append(64)\n    return sum(n)\nf()\nW = f() * 2",
    "import os\nos.environ['TW'] = '128'\nW = int(os.environ.get('TW', '64'))",
    "import builtins\nW = 0\nfor q in builtins.range(2):\n    W += 64",
    "import builtins\nbuiltins.max = lambda *a: 128\nW = max(1, 64)",
    "import random\na = [128]\nrandom.shuffle(a)\nW = a[0]",
    "W = 64\nglobals()['W'] = 128",
    "W = 64\nexec('W = 128')",
    "W = 64 if (1000 + 1) is (1000 + int('1')) else 128",
    "W = round(2.5) * 64",
    "W = -(-127 // 64) * 64",
    "a = [64, 128]\na[0:1] = []\nW = a[0]",
    "a, *b = [64, 128]\nW = b[0]",
    "W = {1: 64, True: 128}[1]",
    "W = sorted([(1, 128), (1, 64)], key=lambda t: t[0])[0][1]",
    "from enum import Enum\nclass E(Enum):\n    A = 128\n    B = 128\nW = 64 if E.B.name == 'B' else 128",
    "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass C:\n    w: int = 128\nc = C()\ntry:\n    c.w = 64\nexcept Exception:\n    pass\nW = c.w",
    "ﬀ = 128\nff = ﬀ\nW = ff",
    "\u{ff37} = 128",
];

/// Objects and names that code changes which is not followed, at once or later. The width is 128, and not known.
pub const ELSEWHERE: &[&str] = &[
    "from unittest import mock\nclass C:\n    w = 64\nmock.patch.object(C, 'w', 128).start()\nW = C.w",
    "from unittest import mock\nclass C:\n    def w(self): return 64\nmock.patch.object(C, 'w', lambda self: 128).start()\nW = C().w()",
    "import threading\ndef f():\n    global W\n    W = 128\nt = threading.Thread(target=f)\nW = 64\nt.start()\nt.join()",
    "import threading\ndef make():\n    w = 64\n    def f():\n        nonlocal w\n        w = 128\n    t = threading.Thread(target=f)\n    w = 64\n    t.start()\n    t.join()\n    return w\nW = make()",
];

/// Host code after which CPython has 64 in `W`.
pub const FITTING: &[&str] = &[
    "a = [128, 64]\ndel a[0]\nW = a[0]",
    "a = [128, 64]\na.remove(128)\nW = a[0]",
    "d = {'w': 128}\nd.update(w=64)\nW = d['w']",
    "class C:\n    @property\n    def w(self): return self._w\n    @w.setter\n    def w(self, v): self._w = v // 2\nc = C()\nc.w = 128\nW = c.w",
    "a = b = [128]\na += [64]\nW = b[-1]",
    "import copy\na = [[64]]\nb = copy.deepcopy(a)\nb[0][0] = 128\nW = a[0][0]",
    "match ('narrow', 64):\n    case ('wide', w):\n        W = w * 2\n    case (_, w):\n        W = w",
    "seen = []\nm = list(map(seen.append, [1]))\nW = 64 if seen else 128",
    "def gen():\n    yield 32\n    yield 64\nW = 0\nfor v in gen():\n    W = v",
    "class A:\n    def w(self): return 64\nclass B(A):\n    def w(self): return super().w()\nW = B().w()",
    "import functools\n@functools.cache\ndef f(v): return v\nf(128)\nW = f(64)",
    "try:\n    W = {'w': 128}['v']\nexcept KeyError:\n    W = 64",
    "from dataclasses import dataclass, replace\n@dataclass(frozen=True)\nclass C:\n    w: int = 128\nW = replace(C(), w=64).w",
    "import os\nos.environ.setdefault('TW', '64')\nW = int(os.environ['TW'])",
    "import itertools\nW = sum(itertools.islice(itertools.count(31), 1)) * 2 + 2",
];

/// Host code whose `r` is true, as it is known, and host code whose `r` is unknown: what libraries return that CPython
/// does not have, and how the program is called.
const TRUE: &[&str] = &[
    "import torch\nr = isinstance(torch.zeros(2, 3).max(1), tuple)",
    "import sys\nr = len(sys.argv) == 1",
];
const OPEN: &[&str] = &[
    "import torch, time\nd = None if time.time() > 0 else 1\nr = isinstance(torch.zeros(2, 3).max(d), tuple)",
    "import torch, time\nd = None if time.time() > 0 else 1\nr = isinstance(torch.min(torch.zeros(2, 3), dim=d), tuple)",
    "import pytest\nr = len(pytest.param(32))",
    "def open(): return 1\nfrom os import *\nr = open()",
    "def getcwd(): return 1\nfrom os import *\nr = getcwd()",
    "walk = 1\nfrom os import *\nr = walk",
    "import sys\nr = sys.argv[0]",
    "import sys\nr = sys.argv",
];

/// Returns what is claimed of `r`.
fn claimed(text: &str) -> Option<HostValue> {
    let known = host_values(&SourceText::new(text.to_owned()));
    let mut all = known.values.into_iter();
    all.find(|(name, _)| name == "r").map(|(_, value)| value)
}

#[test]
fn what_cannot_be_known_is_not_claimed() {
    let wrong = OPEN.iter().filter(|text| claimed(text).is_some());
    assert_eq!(wrong.copied().collect::<Vec<_>>(), Vec::<&str>::new());
    let is_true = |text: &&&str| matches!(claimed(text), Some(HostValue::Bool(true)));
    let missed = TRUE.iter().filter(|text| !is_true(text));
    assert_eq!(missed.copied().collect::<Vec<_>>(), Vec::<&str>::new());
}

fn analysed(before: &str) -> Analysis {
    let source = SourceText::new(KERNEL.replace("{before}", before));
    let settings = Settings {
        replay_work: 0,
        ..Settings::default()
    };
    check(&source, Language::Easyasc, &settings)
}

fn is_partly(analysis: &Analysis) -> bool {
    analysis
        .records
        .iter()
        .any(|record| !record.unknown.is_empty())
}

#[test]
fn a_width_that_does_not_fit_is_never_taken_for_one_that_does() {
    let wrong = WIDE.iter().chain(ELSEWHERE).filter(|before| {
        let analysis = analysed(before);
        let mut findings = analysis.findings.iter();
        !findings.any(|finding| finding.name == "repeat-range") && !is_partly(&analysis)
    });
    let wrong: Vec<&str> = wrong.copied().collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        WIDE.len() + ELSEWHERE.len(),
        wrong.join("\n---\n")
    );
}

#[test]
fn most_widths_are_known() {
    let known = WIDE.iter().filter(|before| !is_partly(&analysed(before)));
    let unknown: Vec<&str> = WIDE
        .iter()
        .filter(|before| is_partly(&analysed(before)))
        .copied()
        .collect();
    let known = known.count() * 100 / WIDE.len();
    assert!(
        known >= 80,
        "{known} %, not known:\n{}",
        unknown.join("\n---\n")
    );
}

#[test]
fn a_width_that_fits_makes_no_finding() {
    let wrong = FITTING.iter().filter_map(|before| {
        let analysis = analysed(before);
        let errors = analysis
            .findings
            .iter()
            .filter(|it| it.name == "repeat-range");
        let names: Vec<&str> = errors.map(|finding| finding.name).collect();
        let is_wrong = !names.is_empty() || is_partly(&analysis);
        is_wrong.then(|| format!("{before}\n  {names:?} {}", is_partly(&analysis)))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}
