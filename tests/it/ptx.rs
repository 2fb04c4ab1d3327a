//! PTX: the parser, recovery from errors, and the rules on whole modules.

use std::fmt::Write;
use std::path::PathBuf;

use crate::common::Random;
use a2lint::language::Language;
use a2lint::syntax::ptx::ast::{Module, OperandKind, Statement};
use a2lint::syntax::ptx::parse;
use a2lint::text::SourceText;

fn samples() -> Vec<(String, String)> {
    let files = crate::common::files(&crate::common::root().join("tests/ptx/samples"), "ptx");
    let named = |path: &PathBuf| (path.display().to_string(), crate::common::read(path));
    files.iter().map(named).collect()
}

#[test]
fn samples_are_read_whole() {
    let samples = samples();
    assert!(samples.len() >= 20);
    for (name, text) in samples {
        let module = parse(&text);
        assert!(module.damaged.is_empty() && !module.refused, "{name}");
    }
}

/// A text with every form of directive, declaration and operand.
const FORMS: &str = r#"# 1 "a.cu"
.version 8.6
.target sm_100a, debug
.address_size 64
.file 1 "a.cu"
.file 2 "b.h", 17, 4711
.extern .shared .align 16 .b8 smem[];
.const .f32 w[2][2] = {{1.0, 0f3F800000}, {-1e3, 2.}};
.global .attribute(.managed) .u64 q = generic(w) + 8;
.func (.reg .b32 %out) f (.reg .b64 %in, .param .align 8 .b8 s[16]) ;
.visible .entry k(.param .u64 .ptr .global .align 16 p)
.maxntid 128, 1, 1
.noreturn
{
    .reg .pred %p<3>; .reg .b64 a, b; .reg .v4 .f32 v;
    .pragma "nounroll";
    proto: .callprototype (.param .b32 _) _ (.param .b64 _)
    ;
    table: .branchtargets A, B;
    .loc 1 2 3
    ld.v2.u32 {%r1, _}, [%rd1+-8]; // one
    .loc 2 40 3, function_name $L__info_string0, inlined_at 1 13 9
    cp.async.mbarrier::complete_tx:bytes [a], [%rd1, {%r3, %r4}]; /* two
    * lines **/ setp.lt.s32 p|q, %tid.x, !r;
    vadd.s32 d, -a.b0, b.h1; mov.b64 a, 0x0FU; mov.b64 a, 0b10; mov.b32 a, b ? 1 : -2;
    call (%out), f, (%in, s), proto;
    lop3.b32 a, 1 + 2 * 3 << 1 | 4 & ~5, (1 << 3) | 2;
    @!%p1 ret;
}
.section .debug_info {
.b32 .debug_abbrev
$L0:
.b8 1, 2
.b64 $L1-$L0
}
"#;

#[test]
fn every_form_is_read() {
    let module = parse(FORMS);
    assert!(module.damaged.is_empty(), "{:?}", module.damaged);
    let found = "ld cp setp vadd mov mov mov call lop3 ret";
    assert_eq!(opcodes(&module).join(" "), found);
    let [declared, kernel] = module.functions.as_slice() else {
        panic!("two functions");
    };
    assert_eq!((declared.registers.len(), kernel.registers.len()), (2, 0));
    assert_eq!(
        kernel.span.end as usize,
        FORMS.find(".section").expect("it") - 1
    );
    let lop3 = kernel.body.iter().find_map(|statement| match statement {
        Statement::Instruction(it) if it.opcode.text == "lop3" => Some(&it.operands),
        _ => None,
    });
    let values = lop3
        .into_iter()
        .flatten()
        .map(|operand| match operand.kind {
            OperandKind::Integer(value) => Some(value),
            _ => None,
        });
    assert_eq!(values.collect::<Vec<_>>(), [None, Some(14), Some(10)]);
}

/// Generates a statement of a random kind.
fn statement(random: &mut Random) -> String {
    let bits = ["16", "32", "64"][random.below(3)];
    let r = |random: &mut Random| format!("%r{}", random.below(64));
    let (a, b, c) = (r(random), r(random), r(random));
    match random.below(14) {
        0 => format!("mov.b{bits} {a}, {:#x};", random.below(1 << 16)),
        1 => format!("@!%p{} bra $L__BB0_{};", random.below(8), random.below(90)),
        2 => format!(
            "ld.global.nc.v4.f32 {{{a}, {b}, {c}, _}}, [%rd1+{}];",
            random.below(4096)
        ),
        3 => format!("st.shared.u{bits} [{a}+-8], {b};"),
        4 => format!("fma.rn.f32 {a}, {b}, 0f3F800000, {c};"),
        5 => format!("setp.lt.and.s32 %p1|%p2, {a}, {b}, !%p3;"),
        6 => format!("bfi.b64 %rd2, %rd3, %rd4, {}, 8;", random.below(56)),
        7 => "{\n\t.reg .pred q;\n\tsetp.ne.b32 q, %r1, 0;\n\t@q bar.sync 0;\n\t}".to_owned(),
        8 => format!("tcgen05.ld.sync.aligned.32x32b.x2.b32 {{{a}, {b}}}, [{c}];"),
        9 => format!(
            "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [{a}], %rd1, %rd2, {b}, %p1, %rd3;"
        ),
        10 => format!(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [{a}], [%rd1, {{{b}, {c}}}], [{a}];"
        ),
        11 => format!(".loc\t1 {} 7", random.below(400)),
        12 => format!("mov.u32 {a}, %ctaid.y; // {b}"),
        _ => format!(
            "lop3.b32 {a}, {b}, {c}, ~0x{:X}, (1 << 3) | 2;",
            random.below(255)
        ),
    }
}

fn generated_module(lines: usize) -> String {
    let mut random = Random(0x2545_F491);
    let mut text = String::from(".version 8.6\n.target sm_100a\n.address_size 64\n\n");
    let mut number = 0;
    while text.lines().count() < lines {
        let _ = write!(
            text,
            ".visible .entry kernel_{number}(\n\t.param .u64 kernel_{number}_param_0,\n\t.param \
             .align 64 .b8 kernel_{number}_param_1[128]\n)\n.maxntid 128, 1, 1\n{{\n\t.reg .pred \
             %p<8>;\n\t.reg .b32 %r<64>;\n\t.reg .b64 %rd<8>;\n\n"
        );
        for label in 0..90 {
            let _ = writeln!(text, "$L__BB{number}_{label}:");
            for _ in 0..random.below(5) {
                let _ = writeln!(text, "\t{}", statement(&mut random));
            }
        }
        text.push_str("\tret;\n}\n\n");
        number += 1;
    }
    text
}

#[test]
fn a_generated_module_is_read_whole() {
    let text = generated_module(2000);
    assert!(text.lines().count() >= 2000);
    let module = parse(&text);
    assert!(module.functions.len() >= 5 && module.damaged.is_empty());
}

/// Returns the opcodes of a module's instructions in order.
fn opcodes(module: &Module) -> Vec<String> {
    fn collect(statements: &[Statement], found: &mut Vec<String>) {
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => {
                    found.push(instruction.opcode.text.to_owned());
                }
                Statement::Block(inside) => collect(inside, found),
                Statement::Label | Statement::Registers(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(&module.statements, &mut found);
    for function in &module.functions {
        collect(&function.body, &mut found);
    }
    found
}

const HEAD: &str = ".version 8.6\n.target sm_100a\n.entry first(.param .u64 p)\n{\n";

#[test]
fn a_broken_line_costs_itself() {
    let broken = [
        "mov.u32 %r1, ;",
        "add.s32 %r1, %r1 %r2;",
        "ld.param.u64 %rd1, [p;",
        "ld.param.u64 %rd1, [p",
        "mov.b64 {%r1, %r2, %rd1;",
        "st.shared.b32 [%r1+, %r2;",
        ")) garbage ((",
        "mov.u32 %r2, \"abc;",
        "add.u32 %r1, %r1, 0x;",
        "@ mov.u32 %r1, 1;",
        "??? !!!",
        "call (%r1, f, (%r2);",
    ];
    for line in broken {
        let text = format!(
            "{HEAD}bar.sync 0;\n{line}\nsub.s32 %r3, %r3, 1;\nret;\n}}\n.entry second()\n{{\nexit;\n}}\n"
        );
        let module = parse(&text);
        let found = opcodes(&module);
        for opcode in ["bar", "sub", "ret", "exit"] {
            assert!(
                found.iter().any(|found| found == opcode),
                "{line}: {found:?}"
            );
        }
        let names: Vec<&str> = module.functions.iter().map(|f| f.name.text).collect();
        assert_eq!(names, ["first", "second"], "{line}");
        assert!(!module.damaged.is_empty(), "{line}");
    }
}

#[test]
fn braces_are_recovered() {
    let missing = format!("{HEAD}{{\nbar.sync 0;\nret;\n\n.entry second()\n{{\nexit;\n}}\n");
    let module = parse(&missing);
    let names: Vec<&str> = module.functions.iter().map(|f| f.name.text).collect();
    assert_eq!(names, ["first", "second"]);
    assert_eq!(opcodes(&module), ["bar", "ret", "exit"]);

    let stray = format!(
        "{HEAD}bar.sync 0;\n}}\n}}\nsub.s32 %r1, %r1, 1;\nret;\n.entry second()\n{{\nexit;\n}}\n"
    );
    let module = parse(&stray);
    let names: Vec<&str> = module.functions.iter().map(|f| f.name.text).collect();
    assert_eq!(names, ["first", "second"]);
    assert!(opcodes(&module).iter().any(|opcode| opcode == "exit"));
}

/// Returns every PTX text of the repository.
fn texts() -> Vec<(String, String)> {
    let root = crate::common::root().join("tests");
    let mut found = samples();
    for folder in ["masks", "rules"] {
        for path in crate::common::sources(&root.join(folder)) {
            if matches!(
                crate::common::language(&path),
                Language::Ptx | Language::Cuda
            ) {
                found.push((path.display().to_string(), crate::common::read(&path)));
            }
        }
    }
    found
}

/// Checks a text, and that the spans of the result are inside of it.
fn checked(name: &str, text: &str, language: Language) {
    let source = SourceText::new(text);
    let analysis = crate::common::analysis_of(&source, language, true);
    for finding in &analysis.findings {
        let labels = finding.labels.iter().map(|label| label.span);
        for span in labels.chain([finding.span]) {
            assert!(text.get(span.range()).is_some(), "{name}: {}", finding.name);
        }
    }
}

#[test]
fn mangled_texts_do_no_harm() {
    for (number, (name, text)) in texts().into_iter().enumerate() {
        let language = crate::common::language(name.as_ref());
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut random = Random(0x9E37_79B9 + number as u64);
        for round in 0..24 {
            let first = cuts[random.below(cuts.len())];
            let second = cuts[random.below(cuts.len())];
            let (first, second) = (first.min(second), first.max(second));
            let mangled = match round % 4 {
                0 => text[..first].to_owned(),
                1 => format!("{}{}", &text[..first], &text[second..]),
                2 => format!("{}{}", &text[..second], &text[first..]),
                _ => {
                    let noise = ["{", "}", "[", "\"", "(", "\\", "汉", ";", "@", "/*", "asm("];
                    let noise = noise[random.below(noise.len())];
                    format!("{}{noise}{}", &text[..first], &text[first..])
                }
            };
            checked(&format!("{name} round {round}"), &mangled, language);
        }
    }
}

#[test]
fn hostile_texts_end() {
    let deep = 20_000;
    let texts = [
        String::new(),
        "\0\0\0tcgen05".to_owned(),
        format!("tcgen05.mma.ws {}", "[".repeat(deep)),
        format!("tcgen05.mma.ws {};", "{".repeat(deep)),
        format!("{}tcgen05.mma.ws;", "{".repeat(deep)),
        format!("mov.b64 %rd1, {}1;tcgen05.mma.ws %rd1;", "-".repeat(deep)),
        format!("mov.b64 %rd1, 1{};tcgen05.mma.ws;", "+1".repeat(deep)),
        format!("tcgen05.mma.ws {}", "\"".repeat(deep)),
        "tcgen05.mma.ws )\n".repeat(2_000),
        ".entry f() { tcgen05.mma.ws\n".repeat(2_000),
        "@".repeat(deep) + "tcgen05",
    ];
    for (at, text) in texts.iter().enumerate() {
        checked(&format!("text {at}"), text, Language::Ptx);
        let cuda = format!("void f() {{ asm volatile(\"{text}\" :: \"l\"(x)); }}");
        checked(&format!("text {at} in CUDA"), &cuda, Language::Cuda);
        checked(&format!("text {at} as CUDA"), text, Language::Cuda);
    }
}

/// The findings on each vector are those that its author has noted.
#[test]
fn vectors_are_judged_as_they_say() {
    let text =
        crate::common::read(&crate::common::root().join("tests/vectors/zero_column_mask.json"));
    let vectors: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a list");
    for vector in vectors {
        let extent = |name: &str| vector[name].as_u64().expect("a number");
        // The descriptor announces shifts of up to 32.
        let idesc = (extent("m") >> 4) << 24 | (extent("n") >> 3) << 17 | 3 << 30;
        let module = format!(
            ".version 8.6\n.target sm_100a\n.entry k()\n{{\n.reg .pred %p;\n.reg .b32 %i, %d;\n.reg \
             .b64 %m, %a, %b;\nmov.b32 %i, {idesc};\nmov.b64 %m, {};\ntcgen05.mma.ws.cta_group::1.kind::f16 \
             [%d], %a, %b, %i, %p, %m;\n}}\n",
            vector["desc"].as_str().expect("a number")
        );
        let analysis = crate::common::analysis_of(&SourceText::new(module), Language::Ptx, false);
        let found: Vec<&str> = analysis
            .findings
            .iter()
            .map(|finding| finding.name)
            .collect();
        let lints = vector["lint"].as_array().expect("a list").iter();
        let expected: Vec<&str> = lints
            .map(|lint| match lint.as_str().expect("a name") {
                "zcm-reserved" => "zcm-reserved-bits",
                "zcm-start-past-first-span" => "zcm-start-count",
                "zcm-never-zero" | "zcm-all-zero" => "zcm-degenerate",
                other => other,
            })
            .collect();
        assert_eq!(found, expected, "{}", vector["name"]);
    }
}
