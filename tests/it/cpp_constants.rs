//! Constants, templates and classes in C++: values that determine a number are evaluated.

use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;

/// Sources whose pattern has the value 9; a pattern that is four less is legal.
const CASES: &[(&str, &str)] = &[
    (
        "define",
        r#"#define PAT 9
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "if of a macro",
        r#"#define WIDE 2
        #if defined(WIDE) && WIDE * 2 == 4
        #define PAT 9
        #else
        #define PAT 3
        #endif
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "ifndef around a default",
        r#"#define PAT 9
        #ifndef PAT
        #define PAT 3
        #endif
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "elif in a function",
        r#"#define ARCH 220
        void f(FLOATS) {
        #if ARCH == 310
            constexpr int p = 3;
        #elif ARCH == 220 || defined(OTHER)
            constexpr int p = 9;
        #endif
            PLACE(p)
        }"#,
    ),
    (
        "define expr",
        r#"#define BASE 4
        #define PAT (BASE * 2 + 1)
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "define fn",
        r#"#define TWICE(x) ((x) * 2 + 1)
        void f(FLOATS) { PLACE(TWICE(4)) }"#,
    ),
    (
        "define cast",
        r#"#define PAT ((uint8_t)9)
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "enum class two",
        r#"enum class Q { B = 3 }; enum class Pat : uint8_t { A = 1, B = 9 }; enum class R { B = 4 };
        void f(FLOATS) { PLACE(static_cast<uint8_t>(Pat::B)) }"#,
    ),
    (
        "static member",
        r#"struct C { static constexpr uint8_t P = 9; };
        void f(FLOATS) { PLACE(C::P) }"#,
    ),
    (
        "class tmpl member",
        r#"template <int N> struct C { static constexpr uint8_t P = N + 1; };
        void f(FLOATS) { PLACE(C<8>::P) }"#,
    ),
    (
        "namespace const",
        r#"namespace a { constexpr int P = 3; } namespace b { constexpr int P = 9; } namespace c { constexpr int P = 1; }
        void f(FLOATS) { PLACE(b::P) }"#,
    ),
    (
        "constexpr fn",
        r#"constexpr int g(int x) { return x + 1; }
        void f(FLOATS) { PLACE(g(8)) }"#,
    ),
    (
        "constexpr fn if",
        r#"constexpr int g(int x) { if (x > 4) { return x + 1; } return x; }
        void f(FLOATS) { PLACE(g(8)) }"#,
    ),
    (
        "constexpr fn loop",
        r#"constexpr int g(int x) { int y = 0; for (int i = 0; i < x; i++) { y += 3; } return y; }
        void f(FLOATS) { PLACE(g(3)) }"#,
    ),
    (
        "constexpr fn tmpl",
        r#"template <typename T> constexpr int g() { return sizeof(T) * 2 + 1; }
        void f(FLOATS) { PLACE(g<float>()) }"#,
    ),
    (
        "constexpr fn ifc",
        r#"template <typename T> constexpr int g() { if constexpr (sizeof(T) == 4) { return 9; } else { return 1; } }
        void f(FLOATS) { PLACE(g<float>()) }"#,
    ),
    (
        "tmpl explicit",
        r#"template <typename T, int P> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        template void k<float, 9>(LocalTensor<float>, LocalTensor<float>);"#,
    ),
    (
        "tmpl call",
        r#"template <typename T, int P> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        void f(FLOATS) { k<float, 9>(d, s); }"#,
    ),
    (
        "tmpl deduce",
        r#"template <typename T> void k(LocalTensor<T> d, LocalTensor<T> s) { if constexpr (std::is_same_v<T, float>) { PLACE(sizeof(T)*2+1) } }
        void f(FLOATS) { k(d, s); }"#,
    ),
    (
        "tmpl deduce value",
        r#"template <typename T> void k(LocalTensor<float> d, LocalTensor<float> s, T x) { PLACE(sizeof(T) + 1) }
        void f(FLOATS) { k(d, s, (uint64_t)3); }"#,
    ),
    (
        "tmpl default",
        r#"template <typename T, int P = 9> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "tmpl default dep",
        r#"template <typename T, int P = sizeof(T) * 2 + 1> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "IsSameType",
        r#"template <typename T> void k(LocalTensor<T> d, LocalTensor<T> s) { constexpr int P = IsSameType<T, float>::value ? 9 : 5; PLACE(P) }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "conditional t",
        r#"template <typename T> void k(LocalTensor<T> d, LocalTensor<T> s) { using U = std::conditional_t<sizeof(T) == 4, uint64_t, uint8_t>; PLACE(sizeof(U) + 1) }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "trait spec",
        r#"template <typename T> struct Tr { static constexpr int P = 1; };
        template <> struct Tr<float> { static constexpr int P = 9; };
        template <typename T> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(Tr<T>::P) }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "trait type",
        r#"template <typename T> struct Tr { using U = uint8_t; };
        template <> struct Tr<float> { using U = uint64_t; };
        template <typename T> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(sizeof(typename Tr<T>::U) + 1) }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "partial spec",
        r#"template <typename T, int N> struct Tr { static constexpr int P = 1; };
        template <int N> struct Tr<float, N> { static constexpr int P = N + 1; };
        void f(FLOATS) { PLACE((Tr<float, 8>::P)) }"#,
    ),
    (
        "partial class kernel",
        r#"template <typename T, int N> class K { public: void go(FLOATS) { PLACE(5) } };
        template <int N> class K<float, N> { public: void go(FLOATS) { PLACE(N) } };
        void f(FLOATS) { K<float, 9> k; k.go(d, s); }"#,
    ),
    (
        "member init",
        r#"class K { public: void Init(int n) { p = 9; } void Process(FLOATS) { PLACE(p) } private: int p; };
        void f(FLOATS) { K k; k.Init(3); k.Process(d, s); }"#,
    ),
    (
        "member this",
        r#"class K { public: void Init(int n) { this->p = 9; } void Process(FLOATS) { PLACE(this->p) } private: int p; };
        void f(FLOATS) { K k; k.Init(3); k.Process(d, s); }"#,
    ),
    (
        "member const default",
        r#"class K { public: void Init(int n) { } void Process(FLOATS) { PLACE(p) } private: const int p = 9; };
        void f(FLOATS) { K k; k.Init(3); k.Process(d, s); }"#,
    ),
    (
        "member default",
        r#"class K { public: void Init(int n) { } void Process(FLOATS) { PLACE(p) } private: int p = 9; };
        void f(FLOATS) { K k; k.Init(3); k.Process(d, s); }"#,
    ),
    (
        "member ctor",
        r#"class K { public: K() : p(9) {} void Process(FLOATS) { PLACE(p) } private: int p; };
        void f(FLOATS) { K k; k.Process(d, s); }"#,
    ),
    (
        "class tmpl",
        r#"template <typename T, int P> class K { public: void Process(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) } };
        extern "C" __global__ __aicore__ void f(GM_ADDR x) { K<float, 9> op; op.Process(); }"#,
    ),
    (
        "class tmpl default",
        r#"template <typename T, int P = 9> class K { public: void Process(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) } };
        extern "C" __global__ __aicore__ void f(GM_ADDR x) { K<float> op; op.Process(); }"#,
    ),
    (
        "class tmpl key",
        r#"template <typename T, int P> class K { public: void Process(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) } };
        extern "C" __global__ __aicore__ void f(GM_ADDR x) { if (TILING_KEY_IS(1)) { K<float, 9> op; op.Process(); } else if (TILING_KEY_IS(2)) { K<half, 5> op; op.Process(); } }"#,
    ),
    (
        "class outofline",
        r#"template <typename T, int P> class K { public: void Process(LocalTensor<T> d, LocalTensor<T> s); };
        template <typename T, int P> __aicore__ inline void K<T, P>::Process(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        void f() { K<float, 9> op; }"#,
    ),
    (
        "class base",
        r#"template <typename T> struct Base { static constexpr int P = 9; int q = 3; };
        template <typename T> class K : public Base<T> { public: void Process(LocalTensor<T> d, LocalTensor<T> s) { PLACE(Base<T>::P) } };
        void f() { K<float> op; }"#,
    ),
    (
        "tiling struct",
        r#"struct Tiling { int32_t n = 9; static constexpr int P = 9; };
        void f(FLOATS) { Tiling t; PLACE(t.P) }"#,
    ),
    (
        "tiling local init",
        r#"struct Tiling { int32_t n; int32_t p; };
        void f(FLOATS) { Tiling t = {3, 9}; PLACE(t.p) }"#,
    ),
    (
        "tiling assign",
        r#"struct Tiling { int32_t n; int32_t p; };
        void f(FLOATS) { Tiling t; t.p = 9; PLACE(t.p) }"#,
    ),
    (
        "tiling constexpr",
        r#"struct Tiling { int32_t n; int32_t p; };
        constexpr Tiling t = {3, 9};
        void f(FLOATS) { PLACE(t.p) }"#,
    ),
    (
        "tmpl struct arg",
        r#"struct Cfg { static constexpr int P = 9; };
        template <typename C> void k(FLOATS) { PLACE(C::P) }
        void f(FLOATS) { k<Cfg>(d, s); }"#,
    ),
    (
        "bool param",
        r#"template <bool B> void k(FLOATS) { if constexpr (B) { PLACE(9) } }
        void f(FLOATS) { k<true>(d, s); }"#,
    ),
    (
        "inst macro",
        r#"template <typename T, int P> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        #define INST(T, P) template void k<T, P>(LocalTensor<T>, LocalTensor<T>);
        INST(float, 9)"#,
    ),
    (
        "overload",
        r#"template <int P> void k(FLOATS) { PLACE(P) }
        template <int P> void k(FLOATS, int x) { PLACE(P) }
        void f(FLOATS) { k<9>(d, s); }"#,
    ),
    (
        "overload of a type",
        r#"template <int P> void k(LocalTensor<half> d, LocalTensor<half> s) { PLACE(P - 4) }
        template <int P> void k(FLOATS) { PLACE(P) }
        void f(FLOATS) { k<9>(d, s); }"#,
    ),
    (
        "statements of a macro",
        r#"#define BOTH(x) { int p = x; PLACE(p) }
        void f(FLOATS) { BOTH(9) }"#,
    ),
    (
        "lambda that unknown code receives",
        r#"void f(FLOATS) { run([&](int row) { PLACE(9) }); }"#,
    ),
    (
        "method call in tmpl",
        r#"template <typename T> class K { public: void Process(FLOATS) { Do<9>(d, s); } template <int P> void Do(FLOATS) { PLACE(P) } };
        void f() { K<float> op; op.Process(); }"#,
    ),
    (
        "nested cond",
        r#"template <typename T, int P> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        void f(int x) { if (x == 1) { k<float, 9>(d, s); } else { k<float, 5>(d, s); } }"#,
    ),
    (
        "switch",
        r#"template <typename T, int P> void k(LocalTensor<T> d, LocalTensor<T> s) { PLACE(P) }
        void f(int x) { switch (x) { case 1: k<float, 9>(d, s); break; } }"#,
    ),
];

/// A macro is expanded as it is written: operators next to it may bind a part of its body.
#[test]
fn a_macro_with_operators_is_expanded() {
    let text = |use_it: &str| {
        format!("#define P 4 + 5\nvoid f(FLOATS) {{ constexpr int q = {use_it}; PLACE(q) }}")
    };
    assert_eq!(names(&text("P"), 0), [RULE]);
    assert_eq!(names(&text("1 * P"), 0), [RULE]);
    assert_eq!(names(&text("P * 2 - 7"), 0), Vec::<&str>::new());
    let text = r#"#define IS_WIDE std::is_same<T, float>::value || std::is_same<T, int32_t>::value
        template <typename T> void k(LocalTensor<T> d, LocalTensor<T> s) {
            if constexpr (IS_WIDE) { PLACE(9) }
        }
        void f(LocalTensor<half> d, LocalTensor<half> s) { k(d, s); }"#;
    assert_eq!(names(text, 0), Vec::<&str>::new());
    assert_eq!(names(&text.replace("half", "int32_t"), 0), [RULE]);
}

/// A rule that fires if a number is 8 or more.
const RULE: &str = "tassign-out-of-bounds";

/// Returns a source. In `text`, `PLACE(number)` places a tile there, and `FLOATS` are two parameters.
fn source(text: &str, less: u32) -> String {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("PLACE(") {
        let mut depth = 1;
        let end = after.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let (pattern, behind) = after.split_at(end.expect("a closing parenthesis"));
        whole += before;
        whole += &format!(
            "{{ Tile<TileType::Vec, float, 16, 64> tile; TASSIGN(tile, 0x8000 * (-{less} + {pattern})); }}"
        );
        rest = &behind[1..];
    }
    whole += rest;
    whole.replace("FLOATS", "LocalTensor<float> d, LocalTensor<float> s")
}

fn names(text: &str, less: u32) -> Vec<&'static str> {
    let source = SourceText::new(source(text, less));
    let analysis = check(&source, Language::Cpp, &Settings::default());
    let mut names: Vec<_> = analysis.findings.iter().map(|it| it.name).collect();
    names.dedup();
    names
}

#[test]
fn what_decides_a_number_is_followed() {
    for (name, text) in CASES {
        assert_eq!(names(text, 0), [RULE], "{name}");
        assert_eq!(names(text, 4), Vec::<&str>::new(), "{name}, legal");
    }
}

/// Sources that look as if the pattern were 9, but whose value cannot be determined.
const UNKNOWN: &[(&str, &str)] = &[
    (
        "a branch that the preprocessor leaves out",
        r#"#define WIDE 0
        void f(FLOATS) {
        #if WIDE
            PLACE(9)
        #endif
        }"#,
    ),
    (
        "a macro that the compiler may be given",
        r#"#if WIDE
        #define PAT 9
        #else
        #define PAT 3
        #endif
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "a macro that is taken back",
        r#"#define WIDE
        #undef WIDE
        #ifdef WIDE
        #define PAT 9
        #else
        #define PAT 3
        #endif
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "a macro of one build",
        r#"#ifdef OTHER
        #define WIDE
        #endif
        #ifdef WIDE
        #define PAT 9
        #else
        #define PAT 3
        #endif
        void f(FLOATS) { PLACE(PAT) }"#,
    ),
    (
        "a macro that is defined later",
        r#"void f(FLOATS) {
            constexpr int a = 3, b = 9;
        #ifdef WIDE
            PLACE(a)
        #else
            PLACE(b - 6)
        #endif
        }
        #define WIDE"#,
    ),
    (
        "two builds",
        r#"#ifdef WIDE
        constexpr int P = 9;
        #else
        constexpr int P = 3;
        #endif
        void f(FLOATS) { PLACE(P) }"#,
    ),
    (
        "two namespaces",
        r#"namespace a { constexpr int P = 9; } namespace b { constexpr int P = 3; }
        void f(FLOATS) { PLACE(P) }"#,
    ),
    (
        "a member that two methods set",
        r#"class K { public: void Init() { p = 9; } void Next() { p = 3; }
        void Process(FLOATS) { PLACE(p) } int p; };"#,
    ),
    (
        "a member that others set",
        r#"class K { public: void Init() { p = 9; } void Process(FLOATS) { PLACE(p) } int p; };
        void f(K *k) { k->p = 3; }"#,
    ),
    (
        "a member that is set in a branch",
        r#"class K { public: void Init(int n) { if (n > 3) { p = 9; } }
        void Process(FLOATS) { PLACE(p) } int p = 3; };"#,
    ),
    (
        "a member that a function is given",
        r#"class K { public: void Init() { p = 9; Change(p); } void Process(FLOATS) { PLACE(p) }
        int p; };"#,
    ),
    (
        "a constant of somebody else's class",
        r#"constexpr int P = 9; template <typename C> void k(FLOATS) { PLACE(C::P) }
        void f(FLOATS) { k<Elsewhere>(d, s); }"#,
    ),
    (
        "a macro that is torn apart",
        "#define P 1 + 1\n        void f(FLOATS) { PLACE(4 * P + 1) }",
    ),
    (
        "a name of the caller in a function",
        r#"constexpr int g() { return P; } void f(FLOATS) { constexpr int P = 9; PLACE(g()) }"#,
    ),
    (
        "a branch that the compiler leaves out",
        r#"template <typename T> void k(FLOATS) { if constexpr (sizeof(T) == 1) { PLACE(9) } }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "a branch that only the library decides",
        r#"template <typename T> void k(FLOATS) {
            if constexpr (Library::IsWide<T>()) { PLACE(sizeof(T) * 2 + 1) }
        }
        void f(FLOATS) { k<float>(d, s); }"#,
    ),
    (
        "two overloads",
        r#"template <int P> void k(FLOATS) { PLACE(P) }
        template <int P> void k(FLOATS2) { PLACE(P - 4) }
        void f(Unknown d, Unknown s) { k<9>(d, s); }"#,
    ),
    (
        "a specialisation instead of the template",
        r#"template <int P> void k(FLOATS) { PLACE(P) }
        template <> void k<9>(FLOATS) { PLACE(3) }
        void f(FLOATS) { k<9>(d, s); }"#,
    ),
    (
        "a pattern of a pattern",
        r#"template <typename T> struct Tr { static constexpr int P = 9; };
        template <typename T> struct Tr<Box<T>> { static constexpr int P = 3; };
        void f(FLOATS) { PLACE(Tr<Box<float>>::P) }"#,
    ),
    (
        "a variable that others may set",
        r#"int wide = 9; void f(FLOATS) { PLACE(wide) }"#,
    ),
    (
        "a variable that others have set",
        r#"int wide; void e() { wide = 9; } void f(FLOATS) { static int last = 9; PLACE(wide) PLACE(last) }"#,
    ),
    (
        "a structure that a function fills",
        r#"struct Tiling { int p; }; void f(FLOATS) { Tiling t = {9}; Fill(t); PLACE(t.p) }"#,
    ),
    (
        "a structure in a loop",
        r#"struct Tiling { int p; };
        void f(FLOATS) { Tiling t = {9}; for (int i = 0; i < 4; i++) { t.p = 3; } PLACE(t.p) }"#,
    ),
];

#[test]
fn what_is_not_known_makes_no_error() {
    for (name, text) in UNKNOWN {
        let text = text.replace("FLOATS2", "LocalTensor<half> d, LocalTensor<half> s");
        assert_eq!(names(&text, 0), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn definitions_that_lead_to_themselves_end() {
    let text = r#"
        template <typename T> struct A {
            using U = typename A<typename T::U>::U;
            static constexpr int P = A<A<T>>::P + 1;
        };
        template <typename T> using X = typename A<X<T>>::U;
        template <typename T> struct B : B<B<T>> {};
        struct Node { Node next; int value; Pair p; };
        struct Pair { Node a; Pair b; };
        #define M(x) M(x + 1)
        #define N N2
        #define N2 N
        constexpr int f(int x) { return f(x + 1) + f(x + 2); }
        constexpr int g(int x) { while (true) { x += 1; } return x; }
        template <typename T> void k(FLOATS) {
            k<A<T>>(d, s);
            PLACE(A<T>::P + f(1) + M(1) + N + g(1))
        }
        void h(FLOATS) {
            k<float>(d, s);
            B<int> b;
            X<int> x;
            Node n = {1};
            PLACE(A<int>::P + f(1) + M(1) + N + g(1) + B<int>::P + n.value)
        }"#;
    assert_eq!(names(text, 0), Vec::<&str>::new());
}
