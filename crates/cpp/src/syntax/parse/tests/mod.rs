//! Tests of the parser: text, and the syntax that it has.

mod hostile;
mod show;

use std::path::{Path, PathBuf};

use crate::syntax::ast::{ExprKind, Stmt, StmtKind, Unit};
use crate::syntax::{NOWHERE, Settings, Source, read};
use a2lint_source::text::{SourceText, Span};

const SETTINGS: Settings<'static> = Settings {
    macros: &[],
    prelude: "",
    types: &["half", "TPipe"],
    templates: &["LocalTensor", "TQue"],
    functions: &["DataCopy"],
};

fn unit_with(text: &str, settings: &Settings<'_>) -> Unit {
    let source = Source {
        path: PathBuf::from("kernel.cpp"),
        text: SourceText::new(text),
        base: 0,
    };
    read(source, settings, &mut |_: &Path, _: &str| None)
}

/// The syntax of declarations without errors.
fn declared(text: &str) -> String {
    let unit = unit_with(text, &SETTINGS);
    let errors: Vec<&str> = unit
        .errors
        .iter()
        .map(|it| text.get(it.range()).unwrap_or("?"))
        .collect();
    assert!(
        errors.is_empty(),
        "errors at {errors:?} in {text}: {}",
        show::items(&unit.items)
    );
    assert!(unit.notes.is_empty(), "{:?}", unit.notes);
    show::items(&unit.items)
}

/// The syntax of statements in a function.
fn body(text: &str) -> String {
    let shown = declared(&format!(
        "struct S {{ int f; }}; template <typename T> struct C {{}};\nvoid f(int a, int b, int c, S s) {{ {text} }}"
    ));
    let (_, rest) = shown.split_once("S s) { ").expect("a body");
    rest.strip_suffix(" }").expect("its end").to_owned()
}

/// The syntax of an expression.
fn value(text: &str) -> String {
    let shown = body(&format!("return {text};"));
    let shown = shown
        .strip_prefix("return ")
        .and_then(|it| it.strip_suffix(';'));
    shown.expect("a value").to_owned()
}

#[test]
fn operators_bind_as_in_cpp() {
    assert_eq!(
        value("a + b * c - 1 << 2"),
        "(((a Add (b Mul c)) Sub 1) Shl 2)"
    );
    assert_eq!(
        value("a < b == c > 1 && a | b ^ c & 1 || !a"),
        "((((a Lt b) Eq (c Gt 1)) And (a BitOr (b BitXor (c BitAnd 1)))) Or (Not a))"
    );
    assert_eq!(value("a = b += c ? 1 : 2"), "(a = (b Add= (c ? 1 : 2)))");
    assert_eq!(value("a ? b : c ? 1 : 2"), "(a ? b : (c ? 1 : 2))");
    assert_eq!(value("-a++ + ++b"), "((Minus (a++)) Add (++b))");
    assert_eq!(
        value("*&a, ~b"),
        "((Dereference (AddressOf a)) , (Complement b))"
    );
    assert_eq!(value("a >> 1 >= b"), "((a Shr 1) Ge b)");
    assert_eq!(value("a and not b or c"), "((a And (Not b)) Or c)");
    assert_eq!(value("s.f[a](b).x->y"), "s.f[a](b).x->y");
}

#[test]
fn literals_have_their_types() {
    assert_eq!(
        value("0x10u + 1'000ll + 1.5f + 2e3 + 'a' + true"),
        "(((((16u Add 1000ll) Add 1.5f) Add 2000.0) Add '97') Add true)"
    );
    assert_eq!(value("\"a\" \"b\\n\""), "\"ab\\n\"");
    assert_eq!(value("12_km"), "<a literal with a suffix of its own: >");
    assert_eq!(value("nullptr"), "nullptr");
}

#[test]
fn less_than_against_template_arguments() {
    assert_eq!(value("a < b && b > (c)"), "((a Lt b) And (b Gt c))");
    assert_eq!(value("a < b > (c)"), "((a Lt b) Gt c)");
    assert_eq!(value("g<int>(a)"), "g<Int>(a)");
    assert_eq!(value("g<4>(a)"), "g<4>(a)");
    assert_eq!(
        value("unknown < b && c > (a)"),
        "((unknown Lt b) And (c Gt a))"
    );
    assert_eq!(
        value("s.unknown < b && c > (a)"),
        "((s.unknown Lt b) And (c Gt a))"
    );
    assert_eq!(value("s.f < b"), "(s.f Lt b)");
    assert_eq!(value("s.get<C<int>>(a)"), "s.get<C<Int>>(a)");
    assert_eq!(value("s.template get<3>()"), "s.get<3>()");
    assert_eq!(value("C<C<int>>{}"), "C<C<Int>>{}");
    assert_eq!(
        value("std::is_same<half, float>::value && a"),
        "(std::is_same<half, float>::value And a)"
    );
    assert_eq!(
        value("std::is_same_v<half, float> ? a : b"),
        "(std::is_same_v<half, float> ? a : b)"
    );
    assert_eq!(value("C<(1 > 2)>::x"), "C<(1 Gt 2)>::x");
    assert_eq!(
        value("DataCopy<int, a * 2>(s)"),
        "DataCopy<Int, (a Mul 2)>(s)"
    );
}

#[test]
fn members_that_are_declared_later_are_known_in_bodies() {
    let text = "class K { void f() { g(i < n && m > (n)); T * p; } int i, n, m; using T = int; };";
    let shown = declared(text);
    assert!(shown.contains("g(((i Lt n) And (m Gt n)));"), "{shown}");
    assert!(shown.contains("T* p;"), "{shown}");
    let text = "struct K { void f(); int n; }; void K::f() { int i; g(i < n && i > (n)); n * i; }";
    let shown = declared(text);
    assert!(shown.contains("((i Lt n) And (i Gt n))"), "{shown}");
    assert!(shown.contains("(n Mul i);"), "{shown}");
}

#[test]
fn conversions_against_parentheses() {
    assert_eq!(value("(float)(a)"), "CStyle<float>(a)");
    assert_eq!(value("(half)-1"), "CStyle<half>((Minus 1))");
    assert_eq!(value("(a)-1"), "(a Sub 1)");
    assert_eq!(value("(a)(1)"), "a(1)");
    assert_eq!(value("(unknown)-1"), "(unknown Sub 1)");
    assert_eq!(value("(unknown)a"), "CStyle<unknown>(a)");
    assert_eq!(value("(uint32_t)*p"), "CStyle<uint32_t>((Dereference p))");
    assert_eq!(value("(__gm__ half *)a + b"), "(CStyle<half*Gm>(a) Add b)");
    assert_eq!(
        value("float(a) * unsigned(b)"),
        "(new:float(a) Mul new:Unsigned(b))"
    );
    assert_eq!(
        value("reinterpret_cast<__ubuf__ uint8_t *>(static_cast<int>(a))"),
        "Reinterpret<uint8_t*Ub>(Static<Int>(a))"
    );
    assert_eq!(value("typename C<int>::type(1)"), "new:C<Int>::type(1)");
    assert_eq!(value("C<int>(1)"), "C<Int>(1)");
}

#[test]
fn sizes() {
    assert_eq!(value("sizeof(half) * 2"), "(sizeof:half Mul 2)");
    assert_eq!(
        value("sizeof(a) + sizeof a + sizeof(int *)"),
        "((sizeof(a) Add sizeof(a)) Add sizeof:Int*)"
    );
    assert_eq!(value("sizeof(a + b)"), "sizeof((a Add b))");
    assert_eq!(
        value("alignof(int) + sizeof...(Ts)"),
        "(alignof:Int Add sizeof...(Ts))"
    );
}

#[test]
fn declarations_against_expressions() {
    assert_eq!(body("a * b;"), "(a Mul b);");
    assert_eq!(body("S * p;"), "S* p;");
    assert_eq!(body("unknown * p;"), "unknown* p;");
    assert_eq!(body("unknown & r = a;"), "unknown& r = a;");
    assert_eq!(body("C<int> x;"), "C<Int> x;");
    assert_eq!(body("a < b > c;"), "((a Lt b) Gt c);");
    assert_eq!(body("unknown<int> x(a, b);"), "unknown<Int> x(a, b);");
    assert_eq!(body("S(x);"), "S x;");
    assert_eq!(body("a(b);"), "a(b);");
    assert_eq!(body("unknown(b);"), "unknown(b);");
    assert_eq!(body("S x();"), "S x();");
    assert_eq!(
        body("LocalTensor<half> x(TPosition::A1, 0, a);"),
        "LocalTensor<half> x(TPosition::A1, 0, a);"
    );
    assert_eq!(body("S x(a * b);"), "S x((a Mul b));");
    assert_eq!(body("A::B x = a;"), "A::B x = a;");
    assert_eq!(body("A::b(x);"), "A::b(x);");
    assert_eq!(body("int (*fp)(int, S) = g;"), "fn(Int, S)->Int* fp = g;");
    assert_eq!(
        body("int x = 1, *p = &x, q[2][3] = {{1}, {2}};"),
        "Int x = 1, Int* p = (AddressOf x), Int[3][2] q = {{1}, {2}};"
    );
    assert_eq!(
        body("LocalTensor<half> p, q;"),
        "LocalTensor<half> p, LocalTensor<half> q;"
    );
    assert_eq!(
        body("const S &r = s; auto &&t = s; unsigned long long u{1};"),
        "S const& r = s; auto&& t = s; UnsignedLongLong u{1};"
    );
    assert_eq!(
        body("static constexpr int t[] = {1, 2};"),
        "static constexpr Int[] t = {1, 2};"
    );
    assert_eq!(
        body("__gm__ half *__restrict__ p = (__gm__ half *)a;"),
        "half*Gm p = CStyle<half*Gm>(a);"
    );
    assert_eq!(
        body("using T = int; typedef half H, *PH;"),
        "using T = Int; namespace  { using H = half; using PH = half*; }"
    );
    assert_eq!(
        body("auto [x, y] = s; auto &[u, v] = s;"),
        "auto[x,y] = s; auto&[u,v] = s;"
    );
}

#[test]
fn statements() {
    assert_eq!(
        body("if (a) b; else if (c) { } else return;"),
        "if (a) b; else if (c) {  } else return ;"
    );
    assert_eq!(
        body("if constexpr (sizeof(half) == 2) { a; }"),
        "if constexpr ((sizeof:half Eq 2)) { a; }"
    );
    assert_eq!(
        body("if (int x = a; x > 1) b;"),
        "if (Int x = a; (x Gt 1)) b;"
    );
    assert_eq!(body("if (int x = a) b;"), "if (Int x = a; ) b;");
    assert_eq!(
        body("for (int i = 0; i < a; ++i) continue;"),
        "for (Int i = 0; (i Lt a); (++i)) continue;"
    );
    assert_eq!(body("for (;;) break;"), "for (; ; ) break;");
    assert_eq!(
        body("for (auto &x : s.f) x = 1;"),
        "for (auto& x : s.f) (x = 1);"
    );
    assert_eq!(body("for (int x : {1, 2}) ;"), "for (Int x : {1, 2}) ;");
    assert_eq!(
        body("while (a--) do b; while (c);"),
        "while (a--) do b; while c;"
    );
    assert_eq!(
        body("switch (a) { case 1: case 2: b; break; case A::B: { c; } default: return; }"),
        "switch a { case 1: case 2: b; break; case A::B: { c; } default: return ; }"
    );
    assert_eq!(
        body("goto x; x: try { } catch (...) { } asm volatile(\"nop\");"),
        "<`goto`> <a label> <`try`> <`asm`>"
    );
    assert_eq!(
        body("[[likely]] a; static_assert(1 < 2, \"m\");"),
        "a; static_assert (1 Lt 2);"
    );
    assert_eq!(body("delete[] p; throw 1;"), "<`delete`: p>; <`throw`: 1>;");
}

#[test]
fn calls_of_kernels() {
    assert_eq!(
        value("k<<<a, nullptr, s>>>(b, c)"),
        "k<<<a, nullptr, s>>>(b, c)"
    );
    assert_eq!(
        value("k<half, 2><<<a + 1, 0, 0>>>()"),
        "k<half, 2><<<(a Add 1), 0, 0>>>()"
    );
}

#[test]
fn lambdas_and_braces() {
    assert_eq!(
        value("[&](int x, auto... y) -> int { return x; }(1)"),
        "[&](Int x, auto... y) -> Int { return x; }(1)"
    );
    assert_eq!(
        value("[=, &a, this, z = b]() mutable { z; }"),
        "[=, &a, this, z = b]() mutable { z; }"
    );
    assert_eq!(value("[] { }"), "[]() {  }");
    assert_eq!(value("S{1, 2}"), "S{1, 2}");
    assert_eq!(value("S{.f = 1, .g = {2}}"), "S{.f=1, .g={2}}");
    assert_eq!(value("g({1, 2}, {})"), "g({1, 2}, {})");
}

#[test]
fn packs_and_folds() {
    let text = "template <typename... Ts> void f(Ts &&...xs) { (g(xs), ...); (... + xs); (xs + ... + 0); (0 + ... + \
        xs); h(xs...); C<Ts...> c; }";
    let shown = declared(text);
    for part in [
        "fold-right(Comma g(xs));",
        "fold-left(Binary(Add) xs);",
        "fold-right(Binary(Add) xs from 0);",
        "fold-left(Binary(Add) xs from 0);",
        "h(xs...);",
        "C<Ts...> c;",
        "Ts&&... xs",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn classes() {
    let text = "template <typename T, int N = 2> class K : public B<T>, private D { public: __aicore__ inline K() : \
        a(1), B<T>{2} {} ~K(); virtual void f() const = 0; K(const K &) = delete; void operator()(int); explicit \
        operator bool() const; bool operator<(const K &o) const; static constexpr int x = N; int a = 3, b[N]{}; \
        struct In { T t; }; enum class E : uint8_t { P, Q = 4 }; friend class Z; using U = typename T::type; };";
    let shown = declared(text);
    for part in [
        "template<typename T, Int N = 2> class K : B<T> : D {",
        "__aicore__ ctor K() : a(1) : B<T>{2} {  }",
        "dtor ~K();",
        "virtual void f() const;",
        "ctor K(K const& ) = delete;",
        "void operator()(Int );",
        "conv bool operator bool() const;",
        "bool operator<(K const& o) const;",
        "static constexpr Int x = N;",
        "Int a = 3, Int[N] b{};",
        "class In { T t; }",
        "enum class E : uint8_t {P, Q = 4}",
        "using U = T::type;",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn templates_and_members_outside_of_classes() {
    let text = "template <typename T> struct C; template <> struct C<int> { static const int v = 1; }; template \
        <typename T> struct C<T *> { void f(T); }; template <typename T> void C<T *>::f(T x) {} template <typename \
        T> const int C<T>::v = 2; template <typename T> using A = C<T>; template <typename T> constexpr T pi = \
        T(3); template class C<half>; template void g<int>(int); extern template struct C<float>;";
    let shown = declared(text);
    for part in [
        "template<typename T> class C;",
        "template<> class C<Int> { static Int const v = 1; }",
        "template<typename T> class C<T*> { void f(T ); }",
        "template<typename T> void C<T*>::f(T x) {  }",
        "template<typename T> Int const C<T>::v = 2;",
        "template<typename T> using A = C<T>;",
        "template<typename T> constexpr T pi = T(3);",
        "template C<half>; template g<Int>; template C<float>;",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let text = "struct K { K(int); ~K(); operator int(); }; K::K(int x) : y(x) {} K::~K() {} K::operator int() { \
        return 1; } template <class T> struct V { V(); }; template <class T> V<T>::V() {}";
    let shown = declared(text);
    for part in [
        "ctor K::K(Int x) : y(x) {  }",
        "dtor K::~K() {  }",
        "conv Int K::operator Int() { return 1; }",
        "template<typename T> ctor V<T>::V() {  }",
    ] {
        assert!(
            shown.contains(&part.replace("operator Int", "operator int")),
            "{part} in {shown}"
        );
    }
}

#[test]
fn functions() {
    let text = "extern \"C\" __global__ __aicore__ void k(__gm__ uint8_t *x, GM_ADDR w, T t) { } __mix__(1, 2) \
        __global__ [aicore] void m(); [[nodiscard]] auto g(int a = 1, ...) -> decltype(a) { return a; } static \
        inline constexpr int h() noexcept { return 0; } template <typename F, typename = void> void apply(F &&f, \
        int (&arr)[3], void (*cb)(int)) { f(); }";
    let shown = declared(text);
    for part in [
        "__global__ __aicore__ void k(uint8_t*Gm x, GM_ADDR w, T t) {  }",
        "__mix__(1,2) __global__ __aicore__ void m();",
        "decltype(a) g(Int a = 1, ...) { return a; }",
        "static constexpr Int h() { return 0; }",
        "template<typename F, typename  = void> void apply(F&& f, Int[3]& arr, fn(Int)->void* cb) { f(); }",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn namespaces_and_names() {
    let text = "namespace a::b { int x; inline namespace v { } } namespace { int y; } using namespace a::b; using \
        std::max; extern int e; struct { int q; } z; struct N { int q; } n, *pn;";
    let shown = declared(text);
    for part in [
        "namespace a::b { Int x; namespace v {  } }",
        "namespace  { Int y; }",
        "using namespace a::b; using std::max; extern Int e;",
        "class ? { Int q; } z;",
        "namespace  { class N { Int q; } N n, N* pn; }",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn what_does_not_parse_is_left_out_alone() {
    let text = "void f() { int a = ; b(); } struct S { int x y; int z; }; int w;";
    let unit = unit_with(text, &SETTINGS);
    let shown = show::items(&unit.items);
    assert_eq!(
        shown,
        "void f() { <text that does not parse> b(); } class S { <text that does not parse> Int z; } Int w;"
    );
    let at: Vec<&str> = unit.errors.iter().map(|it| &text[it.range()]).collect();
    assert_eq!(at, [";", "y"]);
}

#[test]
fn spans_name_places_of_the_text() {
    let text = "#define TWICE(x) ((x) + (x))\nint v = TWICE( a1 ) * 3;\n";
    let unit = unit_with(text, &SETTINGS);
    let [
        Stmt {
            kind: StmtKind::Variables(all),
            span,
            ..
        },
    ] = &unit.items[..]
    else {
        panic!("a variable");
    };
    assert_eq!(&text[span.range()], "int v = TWICE( a1 ) * 3;");
    assert_eq!(&text[all[0].name_span.range()], "v");
    let crate::syntax::ast::Init::Assign(value) = &all[0].init else {
        panic!("a value");
    };
    assert_eq!(&text[value.span.range()], "TWICE( a1 ) * 3");
    let ExprKind::Binary(_, left, _) = &value.kind else {
        panic!("a product");
    };
    assert_eq!(&text[left.span.range()], "TWICE( a1 )");
    let ExprKind::Binary(_, first, _) = &left.kind else {
        panic!("a sum");
    };
    assert_eq!(first.span.start, 37);
}

#[test]
fn the_prelude_is_of_no_file() {
    let settings = Settings {
        prelude: "#define GM_ADDR __gm__ uint8_t *\nstruct P { int n; };\n",
        macros: &[("ON", "1")],
        ..SETTINGS
    };
    let text = "#if ON\nP p; void f(GM_ADDR x);\n#endif";
    let unit = unit_with(text, &settings);
    assert_eq!(
        show::items(&unit.items),
        "class P { Int n; } P p; void f(uint8_t*Gm x);"
    );
    assert_eq!(unit.items[0].span, NOWHERE);
    assert_eq!(unit.items[1].span, Span::new(7, 11));
}
