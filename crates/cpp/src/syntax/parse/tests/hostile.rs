//! Texts that are no C++, or too much of it: parsing ends, within its bounds.

use super::{SETTINGS, unit_with};
use crate::syntax::ast::NoteKind;

const KERNEL: &str = "#define F(x, ...) x ## 1 + __VA_ARGS__\n#if defined(A) && B > 1\nint z;\n#endif\n\
    template <typename T, int N = 2> class K : public B<T> { public: __aicore__ inline void Init(GM_ADDR x, int n) \
    { a.SetGlobalBuffer((__gm__ T *)x + n * (N - 1)); if constexpr (sizeof(T) == 2) { que.template AllocTensor<T>(); } \
    for (int32_t i = 0; i < n && n > (3); ++i) { auto f = [&](auto... y) { return (y + ...); }; s[i] = f(i, 2); } \
    switch (n) { case 1: break; default: return; } } private: TQue<QuePosition::VECIN, 1> que; int m[3] = {1, 2}; };\n\
    extern \"C\" __global__ __aicore__ void k(GM_ADDR x) { K<half> op; op.Init(x, F(2, 3)); }\n\
    void host() { k<<<8, nullptr, s>>>(x); }\n";

#[test]
fn half_typed_files() {
    for end in 0..KERNEL.len() {
        unit_with(&KERNEL[..end], &SETTINGS);
        unit_with(&KERNEL[end..], &SETTINGS);
    }
}

#[test]
fn files_with_a_token_too_few_or_too_many() {
    let words: Vec<&str> = KERNEL.split(' ').collect();
    for at in 0..words.len() {
        let mut fewer = words.clone();
        fewer.remove(at);
        unit_with(&fewer.join(" "), &SETTINGS);
        for extra in [
            "<", ">", "(", ")", "{", "}", "[", "template", "::", ";", "operator", "...",
        ] {
            let mut more = words.clone();
            more.insert(at, extra);
            unit_with(&more.join(" "), &SETTINGS);
        }
    }
}

#[test]
fn deep_nesting_is_told() {
    let deep = |open: &str, middle: &str, close: &str| {
        let text = format!(
            "void f() {{ {}{middle}{}; }}",
            open.repeat(3000),
            close.repeat(3000)
        );
        unit_with(&text, &SETTINGS)
    };
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("{", "", "}"),
        ("if (a) {", "", "}"),
        ("g(", "1", ")"),
        ("-", "1", ""),
        ("x = ", "1", ""),
        ("a ? b : ", "1", ""),
        ("[] { return ", "1", "; }"),
        ("C<", "int", ">"),
        ("(int)", "1", ""),
        ("x[", "1", "]"),
        ("if (a) ", "b", ""),
        ("for (;;) ", "b", ""),
        ("S{", "1", "}"),
        ("1 + ", "1", ""),
        ("a.", "b", ""),
        ("struct A { ", "", " };"),
        ("if (a) b; else ", "c", ""),
    ] {
        let unit = deep(open, middle, close);
        let is_told = !unit.errors.is_empty()
            || unit
                .notes
                .iter()
                .any(|it| matches!(it.kind, NoteKind::TooDeep | NoteKind::TooHard));
        assert!(is_told, "{open}");
    }
    for (open, close) in [
        ("namespace a {", "}"),
        ("struct A {", "};"),
        ("template <template <", ">"),
        ("int (*", ")"),
    ] {
        unit_with(
            &format!("{}{}", open.repeat(3000), close.repeat(3000)),
            &SETTINGS,
        );
    }
}

#[test]
fn attempts_do_not_multiply() {
    for part in [
        "a<b<",
        "(a)(",
        "x < y > (",
        "T(a)(",
        "f<(",
        "{a<",
        "C<C<",
        "a<b>::c<",
    ] {
        let text = format!("void f() {{ {} }}", part.repeat(2000));
        let started = std::time::Instant::now();
        unit_with(&text, &SETTINGS);
        let took = started.elapsed();
        assert!(took.as_secs() < 5, "{part} took {took:?}");
    }
}
