use super::*;
use a2lint_source::text::SourceText;

fn unit(text: &str) -> Unit<'_> {
    let tree = parse_tree(text).expect("small texts are parsed");
    super::lower::lower(&tree, text, 0)
}

const ATTRIBUTES: &str = r#"
template <typename T>
__global__ __aicore__ __launch_bounds__(32, (2)) void kernel(__gm__ T *__restrict__ x, __gm__ uint8_t *y) {
    __ubuf__ half *buffer = (__ubuf__ half *)get_imm(0);
    const char *text = "__gm__ <<<a>>>"; // __gm__ stays
    char quote = '"'; int n = 1'000;
}
void host() { kernel<half><<<blocks, nullptr, stream>>>(x, y); shift = a <<b; }
"#;

#[test]
fn attributes_are_blanked_in_place() {
    let blanked = blank(ATTRIBUTES);
    assert_eq!(blanked.len(), ATTRIBUTES.len());
    for (before, after) in ATTRIBUTES.bytes().zip(blanked.bytes()) {
        assert!(before == after || after == b' ');
    }
    assert!(!blanked.contains("__global__") && !blanked.contains("__launch_bounds__"));
    assert!(blanked.contains("\"__gm__ <<<a>>>\"; // __gm__ stays"));
    assert!(!blanked.contains("stream"));
    let unit = unit(ATTRIBUTES);
    assert_eq!(unit.errors, []);
    let StmtKind::Function(kernel) = &unit.items[0].kind else {
        panic!("{:?}", unit.items[0]);
    };
    assert_eq!(kernel.name, "kernel");
    let start = ATTRIBUTES.find("kernel(").expect("there");
    assert_eq!(kernel.name_span.start as usize, start);
    let names: Vec<&str> = kernel.parameters.iter().map(|p| p.name).collect();
    assert_eq!(names, ["x", "y"]);
}

#[test]
fn nothing_to_blank_borrows() {
    assert!(matches!(
        blank("int a = b << 3;"),
        std::borrow::Cow::Borrowed(_)
    ));
    assert!(matches!(
        blank("a <<< b; c >>> d"),
        std::borrow::Cow::Borrowed(_)
    ));
    assert!(matches!(
        blank("R\"x(__gm__ \" )x\""),
        std::borrow::Cow::Borrowed(_)
    ));
}

#[test]
fn declarations_have_their_initialisers() {
    let unit =
        unit("void f() { T a(16, 2), b{1}, c = 3, d; T e(rows, cols); T g(); int h[2] = {1, 2}; }");
    let StmtKind::Function(function) = &unit.items[0].kind else {
        panic!();
    };
    let mut seen = Vec::new();
    for stmt in &function.body {
        if let StmtKind::Declare { names, .. } = &stmt.kind {
            for name in names {
                let count = match &name.init {
                    Init::Default => 0,
                    Init::Value(_) => 10,
                    Init::Arguments(list) => list.len(),
                };
                seen.push((name.name, count, name.array));
            }
        }
    }
    assert_eq!(
        seen,
        [
            ("a", 2, false),
            ("b", 1, false),
            ("c", 10, false),
            ("d", 0, false),
            ("e", 2, false),
            ("h", 2, true)
        ]
    );
}

#[test]
fn numbers_come_in_all_bases() {
    let cases = [
        ("0x1F'FFul", Some(0x1FFF)),
        ("0b101", Some(5)),
        ("017", Some(15)),
        ("1'000'000ULL", Some(1_000_000)),
        ("0", Some(0)),
        ("1.5f", None),
    ];
    for (text, value) in cases {
        let source = format!("int x = {text};");
        let unit = unit(&source);
        let StmtKind::Declare { names, .. } = &unit.items[0].kind else {
            panic!();
        };
        let Init::Value(init) = &names[0].init else {
            panic!();
        };
        match (&init.kind, value) {
            (ExprKind::Int(found), Some(value)) => assert_eq!(*found, value, "{text}"),
            (ExprKind::Float(_), None) => {}
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn broken_text_keeps_what_can_be_read() {
    let text = "void f() {\n  int a = ;\n  TSEL(d, m, x, y);\n  if ( {\n}\n";
    let source = SourceText::new(text);
    let unit = parse(&source).expect("small");
    assert!(!unit.errors.is_empty());
    let mut calls = 0;
    visit_expressions(&unit.items, &mut |expr| {
        calls += usize::from(matches!(expr.kind, ExprKind::Call { .. }));
    });
    assert_eq!(calls, 1);
}
