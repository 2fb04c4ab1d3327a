use super::super::parse;
use super::*;
use a2lint_source::text::SourceText;

fn file(text: &str) -> File {
    parse(&SourceText::new(text))
}

fn clean(text: &str) -> Vec<Stmt> {
    let file = file(text);
    assert_eq!(file.errors, [], "{text}");
    file.body
}

/// Shows the only expression of `text`, with every operation in parentheses.
fn shown(text: &str) -> String {
    match clean(text).as_slice() {
        [
            Stmt {
                kind: StmtKind::Expr(expr),
                ..
            },
        ] => show(expr),
        other => panic!("{text}: {other:?}"),
    }
}

fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn optional(expr: &Option<Box<Expr>>) -> String {
    expr.as_ref().map_or("_".to_owned(), |expr| show(expr))
}

fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::None => "None".into(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::Str(value) => format!("{value:?}"),
        ExprKind::OpaqueStr | ExprKind::Format(_) => "str".into(),
        ExprKind::Yield { value, .. } => format!("(yield {})", optional(value)),
        ExprKind::Ellipsis => "...".into(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Matches { subject, pattern } => {
            format!("({} matches {pattern:?})", show(subject))
        }
        ExprKind::Attribute { value, attr } => format!("{}.{}", show(value), attr.text),
        ExprKind::Subscript { value, index } => format!("{}[{}]", show(value), show(index)),
        ExprKind::Slice { lower, upper, step } => {
            format!("{}:{}:{}", optional(lower), optional(upper), optional(step))
        }
        ExprKind::Call {
            func,
            args,
            keywords,
        } => {
            let keyword = |(name, value): &(Option<Name>, Expr)| {
                let name = name.as_ref().map_or("**", |name| &name.text);
                format!(" {name}={}", show(value))
            };
            let keywords: String = keywords.iter().map(keyword).collect();
            format!("{}({}{keywords})", show(func), list(args))
        }
        ExprKind::Tuple(items) => format!("(tuple {})", list(items)),
        ExprKind::List(items) => format!("(list {})", list(items)),
        ExprKind::Set(items) => format!("(set {})", list(items)),
        ExprKind::Dict(items) => {
            let item = |(key, value): &(Option<Expr>, Expr)| {
                let key = key.as_ref().map_or("**".to_owned(), show);
                format!(" {key}={}", show(value))
            };
            format!("(dict{})", items.iter().map(item).collect::<String>())
        }
        ExprKind::Unary { op, operand } => format!("({op:?} {})", show(operand)),
        ExprKind::Binary {
            op, left, right, ..
        } => format!("({op:?} {} {})", show(left), show(right)),
        ExprKind::BoolOp { and: true, values } => format!("(and {})", list(values)),
        ExprKind::BoolOp { values, .. } => format!("(or {})", list(values)),
        ExprKind::Compare { left, rest } => {
            let link = |(op, expr): &(CompareOp, Expr)| format!(" {op:?} {}", show(expr));
            format!(
                "({}{})",
                show(left),
                rest.iter().map(link).collect::<String>()
            )
        }
        ExprKind::Conditional { test, body, orelse } => {
            format!("({} ? {} : {})", show(test), show(body), show(orelse))
        }
        ExprKind::Lambda { params, body } => {
            format!("(lambda {} {})", show_params(params), show(body))
        }
        ExprKind::Comprehension {
            kind,
            element,
            value,
            clauses,
        } => {
            let clause = |clause: &Clause| {
                let (target, iter) = (show(&clause.target), show(&clause.iter));
                format!(" for {target} in {iter} if [{}]", list(&clause.conditions))
            };
            let clauses: String = clauses.iter().map(clause).collect();
            format!("({kind:?} {} {}{clauses})", show(element), optional(value))
        }
        ExprKind::Starred(value) => format!("*{}", show(value)),
        ExprKind::Named { name, value } => format!("({} := {})", name.text, show(value)),
        ExprKind::Error => "ERROR".into(),
    }
}

fn show_params(params: &[Param]) -> String {
    let part = |mark: &str, expr: &Option<Expr>| {
        expr.as_ref()
            .map_or(String::new(), |expr| format!("{mark}{}", show(expr)))
    };
    let param = |param: &Param| {
        let (annotation, default) = (part(":", &param.annotation), part("=", &param.default));
        format!("{:?} {}{annotation}{default}", param.kind, param.name.text)
    };
    let params: Vec<_> = params.iter().map(param).collect();
    format!("[{}]", params.join(", "))
}

/// Shows the kinds of statements, nested ones in brackets.
fn outline(body: &[Stmt]) -> String {
    let one = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Expr(expr) => show(expr),
        StmtKind::Assign { targets, value } => format!("{} = {}", list(targets), show(value)),
        StmtKind::AugAssign {
            target, op, value, ..
        } => format!("{} {op:?}= {}", show(target), show(value)),
        StmtKind::For { body, orelse, .. } => {
            format!("for[{}]else[{}]", outline(body), outline(orelse))
        }
        StmtKind::While { body, orelse, .. } => {
            format!("while[{}]else[{}]", outline(body), outline(orelse))
        }
        StmtKind::If { arms, orelse } => {
            let arm =
                |(test, body): &(Expr, Vec<Stmt>)| format!("if {}[{}]", show(test), outline(body));
            let arms: String = arms.iter().map(arm).collect();
            format!("{arms}else[{}]", outline(orelse))
        }
        StmtKind::With { items, body } => {
            let item = |(value, target): &(Expr, Option<Expr>)| {
                let target = target.as_ref().map_or("_".to_owned(), show);
                format!("{} as {target}, ", show(value))
            };
            let items: String = items.iter().map(item).collect();
            format!("with {items}[{}]", outline(body))
        }
        StmtKind::Function(function) => {
            let (decorators, params) = (list(&function.decorators), show_params(&function.params));
            let name = &function.name.text;
            format!(
                "@{decorators} def {name}{params}[{}]",
                outline(&function.body)
            )
        }
        StmtKind::Class { name, body, .. } => format!("class {}[{}]", name.text, outline(body)),
        StmtKind::Try { blocks, .. } => {
            let blocks: Vec<_> = blocks.iter().map(|block| outline(block)).collect();
            format!("try[{}]", blocks.join("]["))
        }
        StmtKind::Error(rest) => format!("ERROR[{}]", outline(rest)),
        StmtKind::Return(value) => {
            format!("return {}", value.as_ref().map_or("".to_owned(), show))
        }
        other => format!("{other:?}")
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect(),
    };
    body.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[test]
fn operators() {
    for (text, expected) in [
        ("a + b * c", "(Add a (Mul b c))"),
        ("(a + b) * c", "(Mul (Add a b) c)"),
        ("-a ** ~b", "(Neg (Pow a (Invert b)))"),
        (
            "a // b % c @ d / e",
            "(Div (MatMul (Mod (FloorDiv a b) c) d) e)",
        ),
        (
            "a << 1 >> 2 | b ^ c & d",
            "(BitOr (Shr (Shl a 1) 2) (BitXor b (BitAnd c d)))",
        ),
        (
            "a & b ^ c & (d ^ e)",
            "(BitXor (BitAnd a b) (BitAnd c (BitXor d e)))",
        ),
        ("a ^ b & c ^ d", "(BitXor (BitXor a (BitAnd b c)) d)"),
        ("a and b and not c or d", "(or (and a b (Not c)) d)"),
        ("(a and b) and c", "(and (and a b) c)"),
        ("0 <= a < b", "(0 Le a Lt b)"),
        ("a not in b is not c", "(a NotIn b IsNot c)"),
        ("a is b in c", "(a Is b In c)"),
        ("a if b else c if d else e", "(b ? a : (d ? c : e))"),
        ("(n := 4)", "(n := 4)"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn atoms_and_displays() {
    for (text, expected) in [
        ("0xFFFF_FFFF_FFFF_FFFF", "18446744073709551615"),
        ("1e30", "1e30"),
        ("\"a\" 'b\\n' r'\\n'", "\"ab\\n\\\\n\""),
        ("'a' f'{b}'", "str"),
        ("b'a'", "str"),
        ("'''a\n'''", "\"a\\n\""),
        ("...", "..."),
        ("a, b", "(tuple a b)"),
        ("a,", "(tuple a)"),
        ("()", "(tuple )"),
        ("[a, *b]", "(list a *b)"),
        ("{a, b}", "(set a b)"),
        ("{a: 1, **b}", "(dict a=1 **=b)"),
        (
            "[a for a, b in c if a if b for d in e]",
            "(List a _ for (tuple a b) in c if [a b] for d in e if [])",
        ),
        ("{a: b for a in c}", "(Dict a b for a in c if [])"),
        ("f(a for a in b)", "f((Generator a _ for a in b if []))"),
        (
            "lambda a, *, b=1: a",
            "(lambda [Normal a, KeywordOnly b=1] a)",
        ),
        ("await a", "ERROR"),
        ("170141183460469231731687303715884105728", "ERROR"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn trailers() {
    for (text, expected) in [
        ("m.f(a, *b, c=1, **d)", "m.f(a *b c=1 **=d)"),
        ("a[b]", "a[b]"),
        ("a[b,]", "a[(tuple b)]"),
        ("a[b:c, ::2, :]", "a[(tuple b:c:_ _:_:2 _:_:_)]"),
        ("a[(b, c)]", "a[(tuple b c)]"),
        ("f(# comment\n a)", "f(a)"),
        ("print(a)", "print(a)"),
        ("((a)).T()[0]", "a.T()[0]"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn statements() {
    for (text, expected) in [
        ("a = b = 1; c[0:1] <<= d", "a b = 1; c[0:1:_] Shl= d"),
        ("a, b = c", "(tuple a b) = c"),
        ("a: int = 1\nb: list[int]", "AnnAssign; AnnAssign"),
        (
            "for a in b:\n  pass\nelse:\n  break",
            "for[Pass]else[Break]",
        ),
        (
            "async def f():\n  async for a in b: continue",
            "@ def f[][for[Continue]else[]]",
        ),
        ("while a: b\n", "while[b]else[]"),
        ("if a: b\nelif c: d\nelse: e", "if a[b]if c[d]else[e]"),
        ("with a() as b, c: d", "with a() as b, c as _, [d]"),
        ("with (a() as b, c): d", "with a() as b, c as _, [d]"),
        ("with (a() as b): d", "with a() as b, [d]"),
        (
            "try:\n  a\nexcept B as e:\n  c\nexcept:\n  d\nelse:\n  e\nfinally:\n  f",
            "try[a][c][d][e][f]",
        ),
        (
            "class A(B):\n  def f(self): return 1",
            "class A[@ def f[Normal self][return 1]]",
        ),
        (
            "import a.b as c, d\nfrom . import e\nfrom a import *",
            "Import; ImportFrom; ImportFrom",
        ),
        ("from __future__ import annotations", "ImportFrom"),
        (
            "assert a, 'b'\nraise B from c\ndel a, b\nglobal a, b",
            "Assert; Raise; Delete; Global",
        ),
        (
            "@m.kernel(mode='vec')\n@g\ndef f(): pass",
            "@m.kernel( mode=\"vec\") g def f[][Pass]",
        ),
        (
            "def f(a: T, b=1, c: int = 2, *d, e, **g): pass",
            "@ def f[Normal a:T, Normal b=1, Normal c:int=2, Args d, KeywordOnly e, Kwargs g][Pass]",
        ),
        (
            "def f(a, /, b, *, c): pass",
            "@ def f[PositionalOnly a, Normal b, KeywordOnly c][Pass]",
        ),
        ("match a:\n  case 1:\n    b = 2", "if (a Eq 1)[b = 2]else[]"),
    ] {
        assert_eq!(outline(&clean(text)), expected, "{text}");
    }
}

#[test]
fn imports() {
    let body = clean("from ..a . b import (c as d, e)\nimport f.g");
    let StmtKind::ImportFrom { module, names, .. } = &body[0].kind else {
        panic!("{body:?}");
    };
    assert_eq!(module, "..a.b");
    assert_eq!((names[0].name.as_str(), names[1].name.as_str()), ("c", "e"));
    assert_eq!(names[0].alias.as_ref().unwrap().text, "d");
    assert!(matches!(&body[1].kind, StmtKind::Import(names) if names[0].name == "f.g"));
}

#[test]
fn mistakes_cost_no_more_than_themselves() {
    for (text, expected) in [
        ("a = f(1) junk\nb", "a = ERROR; b"),
        ("f(a, b c)\nb", "f(a b ERROR); b"),
        ("a = \nb", "ERROR[]; b"),
        ("a = # c\nb =\nc = d(\n1)", "ERROR[]; ERROR[]; c = d(1)"),
        ("if a\n  and b: pass\nc", "ERROR[]; ERROR[]; Pass; c"),
        ("dup(a,\nb = f(1)\nc <<= b", "ERROR[]; b = f(1); c Shl= b"),
        ("for a in range(:\n  b\nc", "ERROR[b]; c"),
        ("if a b:\n  c\nd", "ERROR[c]; d"),
        ("@g\ndef f(\n  a: [h,\n):\n  b\nd", "ERROR[ERROR[b]]; d"),
        ("def f(a:\n  b\n  c\nd", "ERROR[b; c]; d"),
        ("def f():\n  g(\n  h()\ni", "@ def f[][ERROR[]; h()]; i"),
        ("print 'a'\nb", "ERROR[]; b"),
    ] {
        let file = file(text);
        assert_eq!(outline(&file.body), expected, "{text}");
        assert!(!file.errors.is_empty(), "{text}");
    }
}

#[test]
fn errors_have_reasons() {
    let reasons = |text: &str| -> Vec<_> {
        let errors = file(text).errors.into_iter();
        errors.map(|error| error.reason).collect()
    };
    assert_eq!(reasons("print 'a'"), [ErrorReason::Python2]);
    assert_eq!(reasons("a <> b"), [ErrorReason::Python2]);
    assert_eq!(
        reasons("def f():\n\nb"),
        [ErrorReason::Missing("block".into())]
    );
    assert_eq!(reasons("f(a b)"), [ErrorReason::Unparsed]);
    assert_eq!(reasons(&"x".repeat(1 << 20)), [ErrorReason::TooCostly]);
}

/// The parser receives the text in chunks, whose borders may lie inside of a character.
#[test]
fn characters_may_lie_on_the_border_of_chunks() {
    for shift in 0..4 {
        let text = format!(
            "x = '{}{}'\n变量 = 1\n",
            "a".repeat(shift),
            "偏🙂".repeat(2000)
        );
        let file = file(&text);
        assert_eq!(file.errors.len(), 0, "{shift}");
        assert_eq!(file.body.len(), 2);
    }
    for shift in 0..4 {
        let text = format!("{}名{} = 1\n", "a".repeat(4092 + shift), "称".repeat(1400));
        assert_eq!(file(&text).errors.len(), 0, "{shift}");
    }
}

#[test]
fn comments_without_end_are_read_or_refused_soon() {
    let errors = |text: &str| file(text).errors.len();
    assert_eq!(errors(&"#\n".repeat(200_000)), 0);
    assert_eq!(errors(&"# a2lint\n".repeat(500)), 0);
    for line in ["# a2lint\n", "#'''\n", "    #\\\n"] {
        assert!(errors(&line.repeat(40_000)) <= 1);
    }
}

#[test]
fn spans_leave_out_parentheses_comments_and_decorators() {
    let text = "@k\ndef f():\n    x = (a + # c\r\n      b)\n    # d\n\n# e\n";
    let source = SourceText::new(text);
    let file = parse(&source);
    let StmtKind::Function(function) = &file.body[0].kind else {
        panic!("{file:?}");
    };
    assert!(source.slice(file.body[0].span).starts_with("def"));
    assert!(source.slice(file.body[0].span).ends_with("b)"));
    assert!(source.slice(function.full_span).starts_with("@k"));
    let StmtKind::Assign { value, .. } = &function.body[0].kind else {
        panic!("{function:?}");
    };
    assert_eq!(source.slice(value.span), "a + # c\r\n      b");
    let ExprKind::Binary { op_span, .. } = value.kind else {
        panic!("{value:?}");
    };
    assert_eq!(source.slice(op_span), "+");
    let comments: Vec<_> = file.comments.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(comments, ["# c", "# d", "# e"]);
}

#[test]
fn odd_characters() {
    assert_eq!(
        outline(&clean("\u{feff}a = '汉字' # 注释\r\nb\r\n")),
        "a = \"汉字\"; b"
    );
    assert_eq!(outline(&clean("if a:\n\tb\n\tc\n")), "if a[b; c]else[]");
    let file = file("a = 1\nb = \0\nc = 2\n");
    assert!(outline(&file.body).starts_with("a = 1; "));
    assert!(outline(&file.body).ends_with("c = 2"));
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, close: &str, n: usize| {
        file(&format!("x = {}1{}\ny\n", open.repeat(n), close.repeat(n)))
    };
    for (open, close) in [
        ("[", "]"),
        ("f(", ")"),
        ("a[", "]"),
        ("not ", ""),
        ("-", ""),
        ("lambda: ", ""),
        ("a if b else ", ""),
        ("a ** ", ""),
        ("a + ", ""),
        ("", ".b"),
        ("", "()"),
    ] {
        let file = deep(open, close, 10_000);
        assert_eq!(file.body.len(), 2, "{open}{close}");
        assert_eq!(file.errors[0].reason, ErrorReason::TooDeep, "{open}{close}");
    }
    for (open, close) in [("(", ")"), ("a and ", ""), ("a = ", ""), ("a < ", "")] {
        assert_eq!(deep(open, close, 10_000).errors, [], "{open}{close}");
    }
}

#[test]
fn unbalanced_and_nested_blocks_are_survived() {
    for open in ["(", "[", "{", "f(", "([", "f'{", "lambda (", "if a: "] {
        file(&open.repeat(10_000));
    }
    let line = |depth: usize| format!("{}if a:\n", " ".repeat(depth));
    file(&(0..900).map(line).collect::<String>());
    let elif = format!("if a:\n  b\n{}", "elif a:\n  b\n".repeat(10_000));
    assert_eq!(file(&elif).errors, []);
}
