//! Python code that exceeds limits of the evaluation.

use super::{KERNEL, analysed};

/// A text, and a part of the message on it; empty if the text is evaluated.
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
        "import functools\ndef d(f):\n    @functools.wraps(f)\n    def i(*a, **k): return f(*a, **k)\n    return i\n@d\n@d\n@d\ndef f(m): return f(m)\nf(1)",
        "nest too deeply",
    ),
    (
        "class C:\n    def __getattr__(self, n): return getattr(self, n + 'a')\nC().x",
        "nest too deeply",
    ),
    (
        "def g(n):\n    yield from g(n)\nlist(g(1))",
        "nest too deeply",
    ),
    (
        "def f(n): return sorted([1, 2], key=lambda v: f(v))\nf(1)",
        "nest too deeply",
    ),
    (
        "class C:\n    def __str__(self): return f'{self}'\nstr(C())",
        "nest too deeply",
    ),
    (
        "class C:\n    def __init__(self): self.c = C()\nC()",
        "nest too deeply",
    ),
    (
        "import contextlib\n@contextlib.contextmanager\ndef c(m):\n    with c(m): yield\nwith c(1): pass",
        "nest too deeply",
    ),
    (
        "def f(m):\n    class C:\n        x = f(m)\n    return C\nf(1)",
        "nest too deeply",
    ),
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

#[test]
fn deep_calls_of_deep_code_do_not_overflow_the_stack() {
    let branches: String = (1..90)
        .map(|depth| format!("{}if m:\n", "    ".repeat(depth)))
        .collect();
    let deep = [
        format!(
            "def f(m):\n    return {}f(m){}",
            "1 + (".repeat(180),
            ")".repeat(180)
        ),
        format!(
            "def f(m):\n    return {}f(m){}",
            "(0 if m < 0 else ".repeat(150),
            ")".repeat(150)
        ),
        format!("def f(m):\n{branches}{}return f(m)", "    ".repeat(90)),
    ];
    for before in deep {
        let text = KERNEL.replace("{before}", &format!("{before}\nf(1)"));
        let text = text.replace("{line}", "n = 64");
        let analysis = analysed(&text);
        let reasons = analysis.not_analysed();
        let is_said = reasons
            .iter()
            .any(|it| it.reason.contains("nest too deeply"));
        assert!(is_said, "{before}: {reasons:?}");
    }
}
