//! Tests of the inline assembly that is read out of C++.

use super::assembly;
use a2lint_ir::mma::{Class, Mma, Unit};
use a2lint_source::text::SourceText;

const SEED: u64 = 0x0003_0281_0000_0000;

fn read(text: &str) -> Unit {
    let (unit, gaps) = assembly(&SourceText::new(text));
    assert!(gaps.is_empty(), "{gaps:?}");
    unit
}

/// A function around `body`, whose last statement issues an instruction with the mask `mask`.
fn kernel(file: &str, body: &str, mask: &str) -> String {
    format!(
        "{file}\n__global__ void __launch_bounds__(128) k(uint64_t a, uint32_t i, int n) {{\n{body}\n\
         asm volatile(\"{{\\n\\t.reg .pred p;\\n\\tsetp.ne.b32 p, %4, 0;\\n\\t\"\n\
         \"tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %5;\\n\\t}}\\n\"\n\
         ::\"r\"(n), \"l\"(a), \"l\"(a), \"r\"(i), \"r\"(1), \"l\"({mask}) : \"memory\");\n}}\n"
    )
}

fn constant(file: &str, body: &str, mask: &str) -> Option<u64> {
    let unit = read(&kernel(file, body, mask));
    let kernel = unit.kernels.iter().find(|kernel| kernel.name == "k");
    let mma: Mma = kernel.expect("k").mmas().next().expect("an instruction");
    let mask = mma.mask().expect("a mask");
    mask.known.descriptor.as_constant()
}

#[test]
fn descriptors_are_folded_through_constant_expressions() {
    let cases = [
        ("", "", "0x0003028100000000ull"),
        (
            "",
            "",
            "(uint64_t(3) << 48) | (uint64_t(2) << 40) | (1ull << 39) | (1ull << 32)",
        ),
        ("", "", "static_cast<uint64_t>(0x30281) << 32"),
        ("", "", "(unsigned long long)0x30281 << 32"),
        ("", "", "std::uint64_t{0x3'0281} << 32"),
        ("", "const uint64_t mask = 0x0003028100000000;", "mask"),
        (
            "constexpr uint64_t kMask = 0x0003028100000000;",
            "",
            "kMask",
        ),
        (
            "#define ZERO_COLUMNS 0x0003028100000000ull",
            "",
            "ZERO_COLUMNS",
        ),
        (
            "#define SKIP 2\n#define USE 3",
            "constexpr uint64_t mask = uint64_t(USE) << 48 | uint64_t(SKIP) << 40 | 0x8100000000;",
            "mask",
        ),
        (
            "",
            "uint64_t mask = 0;\nmask |= 1ull << 32;\nmask |= uint64_t(2) << 40;\n\
             mask |= 1ull << 39;\nmask |= 3ull << 48;\nif (n) { use(n); }",
            "mask",
        ),
        (
            "",
            "uint64_t mask = uint64_t(0x30281);\nmask <<= 32;",
            "mask",
        ),
        ("", "auto mask = 0x0003028100000000;", "uint64_t(mask)"),
    ];
    for (file, body, mask) in cases {
        let found = constant(file, body, mask);
        assert_eq!(found, Some(SEED), "{file}\n{body}\n{mask}");
    }
}

#[test]
fn what_is_not_certain_stays_unknown() {
    let cases = [
        ("", "", "a"),
        ("", "", "make(a)"),
        ("", "uint64_t mask = 1;\nif (n) mask = 2;", "mask"),
        (
            "",
            "uint64_t mask = 1;\nfor (int j = 0; j < n; ++j) { mask |= 2; }",
            "mask",
        ),
        ("", "uint64_t mask = 1;\nfill(mask);", "mask"),
        ("", "uint64_t mask = 1;\nfill(&mask);", "mask"),
        (
            "",
            "uint64_t mask = 1;\nuint64_t &other = mask;\nother = 2;",
            "mask",
        ),
        ("", "uint64_t mask = 1;\nmask++;", "mask"),
        (
            "",
            "uint64_t mask = 1;\n#ifdef WIDE\nmask = 2;\n#endif",
            "mask",
        ),
        ("", "uint64_t mask = 1;\n{ uint64_t mask = 2; }", "mask"),
        ("uint64_t mask = 1;", "", "mask"),
        ("#define MASK 1\n#undef MASK\n#define MASK 2", "", "MASK"),
        ("", "int mask = 1 << 31;", "uint64_t(mask)"),
        ("", "", "1 << 31"),
        ("", "", "table[2]"),
        ("", "", "desc.mask"),
        ("template <uint64_t mask = 1>", "", "mask"),
        ("void other() { const uint64_t mask = 1; }", "", "mask"),
    ];
    for (file, body, mask) in cases {
        let found = constant(file, body, mask);
        assert_eq!(found, None, "{file}\n{body}\n{mask}");
    }
}

const STRUCTURE: &str = "union Mask {
  uint64_t desc_;
  struct {
    uint64_t start_ : 32;
    uint64_t first_ : 4;
    uint64_t : 3;
    uint64_t non_zero_ : 1;
    uint8_t skip_;
    uint8_t use_;
    uint8_t shift_ : 6, : 2;
  };
};";

#[test]
fn structures_and_builders_are_followed() {
    let fields = STRUCTURE.replace(", : 2;", ";");
    let set = "m.first_ = 1;\nm.non_zero_ = 1;\nm.skip_ = 2;\nm.use_ = 3;";
    let builder = "__device__ uint64_t make(uint32_t skip, uint32_t use) {\n\
        uint64_t m = 1ull << 39 | 1ull << 32;\nm |= uint64_t(skip) << 40;\n\
        return m | uint64_t(use) << 48;\n}";
    let cases = [
        (fields.clone(), format!("Mask m{{}};\n{set}"), "m.desc_"),
        (fields.clone(), format!("Mask m = {{0}};\n{set}"), "m.desc_"),
        (builder.to_owned(), String::new(), "make(2, 3)"),
        (
            builder.to_owned(),
            "const uint64_t m = make(2, 3);".to_owned(),
            "m",
        ),
        (
            "template <int A> constexpr uint64_t made(uint64_t x) { return x << 32; }".to_owned(),
            String::new(),
            "made<(1)>(0x30281)",
        ),
    ];
    for (file, body, mask) in cases {
        let found = constant(&file, &body, mask);
        assert_eq!(found, Some(SEED), "{file}\n{body}\n{mask}");
    }
    let unknown = [
        (fields.clone(), format!("Mask m;\n{set}"), "m.desc_"),
        (
            fields.clone(),
            format!("Mask m{{}};\nfill(m);\n{set}"),
            "m.desc_",
        ),
        (
            fields.clone(),
            format!("Mask m{{}};\n{set}\nif (n) {{ m.use_ = 1; }}"),
            "m.desc_",
        ),
        (
            fields.clone(),
            format!("Mask m{{}};\n{set}\nm.use_ |= n;"),
            "m.desc_",
        ),
        (
            STRUCTURE.to_owned(),
            format!("Mask m{{}};\n{set}"),
            "m.other_",
        ),
        (
            builder.replace("return m", "if (skip) { return 1; }\nreturn m"),
            String::new(),
            "make(2, 3)",
        ),
        (format!("{builder}\n{builder}"), String::new(), "make(2, 3)"),
        (builder.to_owned(), String::new(), "make(n, 3)"),
    ];
    for (file, body, mask) in unknown {
        let found = constant(&file, &body, mask);
        assert_eq!(found, None, "{file}\n{body}\n{mask}");
    }
}

#[test]
fn what_a_wrapper_is_given_is_known_of_each_call() {
    let asm = "asm(\"tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %1, %2, p, %3;\"\n\
        :: \"r\"(d), \"l\"(a), \"r\"(i), \"l\"(mask));";
    let masks = |text: &str| -> Vec<(String, Option<u64>)> {
        let unit = read(text);
        let known = unit.kernels.iter().map(|kernel| {
            let mma = kernel.mmas().next().expect("an instruction");
            let mask = mma.mask().expect("a mask").known.descriptor;
            (kernel.name.clone(), mask.as_constant())
        });
        known.collect()
    };
    let wrapper =
        format!("void mma(uint32_t d, uint64_t a, uint32_t i, uint64_t mask) {{ {asm} }}");
    let text =
        format!("{wrapper}\nvoid k(int n) {{ mma(n, n, n, 1ull << 39);\nmma(n, n, n, n); }}");
    let found = [
        ("mma".to_owned(), None),
        ("mma (called on line 4)".to_owned(), Some(1 << 39)),
        ("mma (called on line 5)".to_owned(), None),
    ];
    assert_eq!(masks(&text.replace("void k", "\nvoid k")), found);
    let changed = text.replace("asm(", "mask += n; asm(");
    assert_eq!(masks(&changed)[0], ("mma".to_owned(), None));
    assert!(masks(&changed).iter().all(|(_, mask)| mask.is_none()));
    let two = format!("{text}\n{}", wrapper.replace("uint64_t a", "float a"));
    assert!(masks(&two).iter().all(|(_, mask)| mask.is_none()));
}

#[test]
fn functions_of_every_form_are_read() {
    let asm = "asm(\"tcgen05.wait::ld.sync.aligned;\");";
    let cases = [
        (format!("template <> void f<1>(int x) {{ {asm} }}"), "f"),
        (
            format!("template <> struct S<1> {{ static void g(int x) {{ {asm} }} }};"),
            "g",
        ),
        (format!("auto f(int x) -> void {{ {asm} }}"), "f"),
        (
            format!("auto f(int x) noexcept -> std::array<int, 2> {{ {asm} }}"),
            "f",
        ),
        (
            format!("struct S {{ void operator()(int x) const {{ {asm} }} }};"),
            "operator()",
        ),
        (format!("auto issue = [](int x) {{ {asm} }};"), "issue"),
        (
            format!("auto issue = [=](int x) mutable -> void {{ {asm} }};"),
            "issue",
        ),
        (
            format!("void f() {{ auto g = [&](int x) {{ {asm} }}; g(1); }}"),
            "f",
        ),
    ];
    for (text, name) in cases {
        let unit = read(&text);
        let names: Vec<&str> = unit
            .kernels
            .iter()
            .map(|kernel| kernel.name.as_str())
            .collect();
        assert_eq!(names, [name], "{text}");
    }
}

#[test]
fn fields_are_known_one_by_one() {
    let text = kernel("", "", "(uint64_t(n & 0x3f) << 56) | 0x0003028100000000");
    let unit = read(&text);
    let mma = unit.kernels[0].mmas().next().expect("an instruction");
    let bits = mma.mask().expect("a mask").known.descriptor;
    assert_eq!(bits.bits(u64::MAX >> 8), Some(SEED));
    assert_eq!(bits.bits(0b11 << 62), Some(0));
    assert_eq!(bits.as_constant(), None);
}

#[test]
fn spans_point_into_the_source() {
    let text = kernel("", "", "a | 1");
    let unit = read(&text);
    let kernel = &unit.kernels[0];
    assert_eq!(kernel.name, "k");
    assert_eq!(&text[kernel.name_span.range()], "k");
    let mma = kernel.mmas().next().expect("an instruction");
    let name = &text[mma.instruction.name_span.range()];
    assert_eq!(name, "tcgen05.mma.ws.cta_group::1.kind::f16");
    assert!(text[mma.instruction.span.range()].ends_with(';'));
    let mask = mma.mask_operand().expect("a mask");
    assert_eq!(&text[mask.span.range()], "%5");
    assert_eq!(mask.class, Class::Register(64));
    assert_eq!(mask.text, "a | 1");
    let origin = mask.origin.expect("an expression");
    assert_eq!(&text[origin.range()], "a | 1");
    let predicate = mma.predicate().expect("a predicate");
    assert_eq!(predicate.class, Class::Predicate);
}

#[test]
fn pieces_names_and_macros_make_a_template() {
    let text = "#define KIND \".kind::tf32\"\nvoid f(uint64_t m) {\n\
        asm(\"tcgen05.mma.ws.cta_group::1\" KIND \" [%[d]], %[a], %[a], %[i], p, \"\n  \"%[m];\"\n\
        : : [d] \"r\"(1), [a] \"l\"(m), [i] \"r\"(2), [m] \"l\"(m));\n}\n";
    let unit = read(text);
    let mma = unit.kernels[0].mmas().next().expect("an instruction");
    let kind = mma.instruction.family("kind").expect("a kind");
    assert_eq!(kind.text, "kind::tf32");
    assert_eq!(&text[kind.span.range()], "KIND");
    assert!(mma.instruction.complete);
    let mask = mma.mask_operand().expect("a mask");
    assert_eq!(&text[mask.span.range()], "%[m]");
}

#[test]
fn macros_are_read_too() {
    let text = "#define ISSUE(kind, mask) \\\n  asm volatile(\"tcgen05.mma.ws.cta_group::1.kind::\" #kind \\\n\
        \" [%0], %1, %2, %3, p, %4;\" :: \"r\"(d), \"l\"(a), \"l\"(b), \"r\"(i), \"r\"(mask))\nint x;\n";
    let unit = read(text);
    assert_eq!(unit.kernels[0].name, "ISSUE");
    let mma = unit.kernels[0].mmas().next().expect("an instruction");
    assert!(!mma.instruction.complete && mma.weight_stationary);
    // The predicate is declared elsewhere; `%4` is the operand after it.
    let mask = mma.mask_operand().expect("a mask");
    assert_eq!(mask.class, Class::Register(32));
}

#[test]
fn conditions_are_noticed() {
    let asm = "asm(\"tcgen05.wait::ld.sync.aligned;\");";
    let cases = [
        (format!("void f() {{ {asm} }}"), false),
        (format!("void f() {{ for (;;) {{ {asm} }} }}"), false),
        (format!("#ifndef H\nvoid f() {{ {asm} }}\n#endif"), false),
        (
            format!("namespace n {{ struct S {{ void f() const {{ {asm} }} }}; }}"),
            false,
        ),
        (format!("void f() {{ if constexpr (x) {{ {asm} }} }}"), true),
        (format!("void f() {{ if (x) {asm} }}"), true),
        (format!("void f() {{ if (x) y(); else {asm} }}"), true),
        (format!("void f() {{\n#if X\n{asm}\n#endif\n}}"), true),
        (
            format!("void f() {{ switch (x) {{ case 1: {asm} }} }}"),
            true,
        ),
    ];
    for (text, conditional) in cases {
        let unit = read(&text);
        let kernel = &unit.kernels[0];
        assert_eq!(kernel.name, "f", "{text}");
        assert_eq!(kernel.instructions[0].conditional, conditional, "{text}");
    }
}

#[test]
fn unreadable_assembly_is_told() {
    let text = "void f() {\n  asm(\"nop;\"\n      \"tcgen05.mma.ws [%0, %1;\" :: \"r\"(1));\n}\n";
    let (unit, gaps) = assembly(&SourceText::new(text));
    assert!(unit.kernels.is_empty());
    assert_eq!(gaps.len(), 1);
    assert!(gaps[0].reason.starts_with("line 3:"), "{}", gaps[0].reason);
}
